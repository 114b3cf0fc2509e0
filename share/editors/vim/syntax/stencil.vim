" stencil.vim: the stencil language.
" Copy or link share/editors/vim into a folder of 'runtimepath'.
if exists('b:current_syntax')
	finish
endif

syn keyword stencilDeclaration grid stencil def const extern import in out inout temp result on axis
syn keyword stencilDeclaration interleaved steps halo associative
syn keyword stencilStatement   boundary require for if else scan from anywhere until every
syn keyword stencilWindow      sum prod min max any all
syn keyword stencilType        u8 i8 u16 i16 i32 i64 f16 bf16 f32 f64 bool half float double int
syn keyword stencilFunction    sqrt rsqrt cbrt exp exp2 log log2 sin cos tan asin acos atan atan2 sinh
syn keyword stencilFunction    cosh tanh pow hypot fma abs clamp floor ceil round trunc sign size
syn keyword stencilTime        t

syn match   stencilNumber      '\v<(0[xX]\x+|\d+(\.\d+)?([eE][-+]?\d+)?)>'
syn match   stencilRange       '\.\.'
syn region  stencilString      start='"' skip='\\.' end='"' oneline
syn region  stencilBoundary    matchgroup=stencilStatement start='\v<boundary>' end=';' contains=stencilEdge,
	\stencilNumber,stencilComment
syn keyword stencilEdge        contained keep clamp reflect mirror wrap constant lo hi
syn region  stencilComment     start='//' end='$' contains=@Spell
syn region  stencilComment     start='/\*' end='\*/' contains=@Spell

hi def link stencilDeclaration StorageClass
hi def link stencilStatement   Statement
hi def link stencilWindow      Operator
hi def link stencilType        Type
hi def link stencilFunction    Function
hi def link stencilTime        Special
hi def link stencilNumber      Number
hi def link stencilRange       Operator
hi def link stencilString      String
hi def link stencilEdge        Constant
hi def link stencilComment     Comment

setlocal commentstring=//\ %s
let b:current_syntax = 'stencil'
