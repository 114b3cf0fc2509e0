" .st is Smalltalk to vim; a file that starts with a declaration of ours is not.
autocmd BufRead,BufNewFile *.st
	\ if search('\v^\s*(grid|stencil|import|const|def|extern)>', 'nw') |
	\   setlocal filetype=stencil |
	\ endif
