/* stencil.y: the syntax of the stencil language, and nothing else.
 *
 * LALR(1) without conflicts.  Every error is reported where it is found, and
 * the parser goes on at the next parameter, statement or declaration.  The
 * actions only call the constructors of ast/parse-state.h.
 *
 * Rules of recovery: a list that a mistake may begin with is not made from an
 * empty one, since the parser can recover only in a state that accepts "error";
 * and a rule that ends in "error" has a longer sister, so that the parser looks
 * at what follows, and skips it, before it takes the rule for done.
 */
%require "3.8"
%define api.pure full
%define api.prefix {stencil_}
%define api.location.type {Span}
%define api.token.raw
%define api.token.prefix {TOK_}
%define parse.error custom
%define parse.lac full
%define lr.default-reduction consistent
%locations
%param {Parser *p}

%code requires {
#include "ast/ast.h"
#include "ast/parse-state.h"
}

%code {
#define YYMAXDEPTH PARSE_MAX_STACK
#define YYMALLOC g_malloc
#define YYFREE g_free
#define YYLLOC_DEFAULT(at, rhs, n) \
	((at) = (n) ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n)) : span_after(YYRHSLOC(rhs, 0)))

static int yylex(STENCIL_STYPE *value, Span *at, Parser *p);
static void yyerror(const Span *at, Parser *p, const char *message);
}

%union {
	gint64 integer;
	double real;
	const char *text;
	Type type;
	AstOp op;
	WindowOp window;
	AstParamKind role;
	gboolean flag;
	AstList list;
	AstOn on;
	AstQualifiers qualifiers;
	AstStart start;
	AstExpr *expr;
	AstRange *range;
	AstDim *dim;
	AstInit *init;
	AstAxis *axis;
	AstDefParam *def_param;
	AstParam *param;
	AstStmt *stmt;
	AstFace *face;
	AstTop *top;
}

%token END 0 "the end of the file"
%token GRID "grid" STENCIL "stencil" DEF "def" CONST "const" EXTERN "extern" IMPORT "import"
%token <text> IN "in" OUT "out" INOUT "inout" TEMP "temp" RESULT "result"
%token ON "on" STEPS "steps" HALO "halo" ASSOCIATIVE "associative" BOUNDARY "boundary"
%token REQUIRE "require" FOR "for" IF "if" ELSE "else" SCAN "scan" FROM "from"
%token ANYWHERE "anywhere" UNTIL "until" EVERY "every" AXIS "axis" INTERLEAVED "interleaved"
%token <window> REDUCE "a window"
%token <text> MIN "min" MAX "max"
%token <type> TYPE "a type"
%token <text> ID "a name"
%token <integer> INT "an integer"
%token <real> REAL "a real"
%token <text> STRING "a string"
%token SEMI ";" COMMA "," COLON ":" ASSIGN "=" DOT "." DOTS ".."
%token LPAREN "(" RPAREN ")" LBRACKET "[" RBRACKET "]" LBRACE "{" RBRACE "}"
%token QUESTION "?" OR "||" AND "&&" BITOR "|" BITXOR "^" BITAND "&"
%token EQ "==" NE "!=" LT "<" GT ">" LE "<=" GE ">=" SHL "<<" SHR ">>"
%token PLUS "+" MINUS "-" STAR "*" SLASH "/" PERCENT "%" NOT "!" TILDE "~"

%right "?" ":"
%left "||"
%left "&&"
%left "|"
%left "^"
%left "&"
%left "==" "!="
%left "<" ">" "<=" ">="
%left "<<" ">>"
%left "+" "-"
%left "*" "/" "%"
%precedence UNARY

%type <text> name role_word
%type <role> role
%type <flag> ratio
%type <window> window
%type <list> tops axes axis_list dims dim_list inits def_params def_param_list extern_params
%type <list> extern_param_list params param_list stmts block body temps names faces exprs
%type <list> some args ranges else
%type <on> on on_opt
%type <qualifiers> qualifiers
%type <start> start
%type <expr> expr ref if_head
%type <range> range for_head
%type <dim> dim
%type <init> init
%type <axis> axis
%type <def_param> def_param extern_param
%type <param> param
%type <stmt> stmt if temp
%type <face> face face_kind
%type <top> top stencil_head

%%

file:
	%empty
|	tops { p->file->tops = $1; }
;

tops:
	top { $$ = list_of(p, $1); }
|	tops top { $$ = list_add(p, $1, $2); }
;

/* ---- declarations ---- */

top:
	GRID axes ";" { $$ = top_grid(p, @$, NULL, @1, $2); }
|	GRID ID axes ";" { $$ = top_grid(p, @$, $2, @2, $3); }
|	GRID ID axes "=" name ratio INT ";" {
		$$ = top_grid(p, @$, $2, @2, $3);
		top_derive(p, $$, $5, @5, $6, $7, @7);
	}
|	CONST TYPE name dims "=" init ";" { $$ = top_const(p, @$, $2, $3, @3, $4, $6); }
|	DEF ID "(" def_params ")" "=" expr ";" { $$ = top_def(p, @$, $2, @2, $4, $7); }
|	DEF TYPE ID "(" def_params ")" "=" expr ";" {
		$$ = top_def(p, @$, $3, @3, $5, $8);
		$$->typed = TRUE;
		$$->type = $2;
	}
|	EXTERN TYPE ID "(" extern_params ")" ";" { $$ = top_extern(p, @$, $2, $3, @3, $5, NULL); }
|	EXTERN TYPE ID "(" extern_params ")" FROM STRING ";" {
		$$ = top_extern(p, @$, $2, $3, @3, $5, $8);
	}
|	IMPORT STRING ";" { $$ = top_import(p, @$, @2, $2); }
|	stencil_head body { $$ = top_finish(p, @$, $1, $2); }
|	stencil_head error body { yyerrok; $$ = top_finish(p, @$, $1, $3); }
|	stencil_head clauses body { $$ = top_finish(p, @$, $1, $3); }
|	stencil_head clauses error body { yyerrok; $$ = top_finish(p, @$, $1, $4); }
|	STENCIL error body { yyerrok; $$ = NULL; }
|	error { yyerrok; $$ = NULL; }
|	error ";" { $$ = NULL; }
;

ratio:
	"/" { $$ = FALSE; }
|	"*" { $$ = TRUE; }
;

axes:
	"(" axis_list ")" { $$ = $2; }
;

axis_list:
	axis { $$ = list_of(p, $1); }
|	axis_list "," axis { $$ = list_add(p, $1, $3); }
;

axis:
	ID { $$ = axis_new(p, @$, $1, NULL, FALSE); }
|	ID ":" expr { $$ = axis_new(p, @$, $1, $3, FALSE); }
|	ID "~" expr { $$ = axis_new(p, @$, $1, $3, TRUE); }
;

dims:
	%empty { $$ = (AstList){ 0 }; }
|	"[" dim_list "]" { $$ = $2; }
;

dim_list:
	dim { $$ = list_of(p, $1); }
|	dim_list "," dim { $$ = list_add(p, $1, $3); }
;

dim:
	expr { $$ = dim_new(p, @$, NULL, $1); }
|	expr ".." expr { $$ = dim_new(p, @$, $1, $3); }
;

init:
	expr { $$ = init_value(p, @$, $1); }
|	"{" inits "}" { $$ = init_list(p, @$, $2); }
|	"{" inits "," "}" { $$ = init_list(p, @$, $2); }
;

inits:
	init { $$ = list_of(p, $1); }
|	inits "," init { $$ = list_add(p, $1, $3); }
;

def_params:
	%empty { $$ = (AstList){ 0 }; }
|	def_param_list
;

def_param_list:
	def_param { $$ = list_of(p, $1); }
|	def_param_list "," def_param { $$ = list_add(p, $1, $3); }
;

def_param:
	name { $$ = def_param_new(p, @$, $1, FALSE, TYPE_F32); }
|	TYPE name { $$ = def_param_new(p, @2, $2, TRUE, $1); }
;

extern_params:
	%empty { $$ = (AstList){ 0 }; }
|	extern_param_list
;

extern_param_list:
	extern_param { $$ = list_of(p, $1); }
|	extern_param_list "," extern_param { $$ = list_add(p, $1, $3); }
;

extern_param:
	TYPE { $$ = def_param_new(p, @$, NULL, TRUE, $1); }
|	TYPE name { $$ = def_param_new(p, @$, $2, TRUE, $1); }
;

/* ---- stencils ---- */

stencil_head:
	STENCIL ID "(" params ")" { $$ = p->stencil = top_stencil(p, @$, $2, @2, $4); }
;

params:
	%empty { $$ = (AstList){ 0 }; }
|	param_list
;

param_list:
	param { $$ = list_of(p, $1); }
|	param_list "," param { $$ = list_add(p, $1, $3); }
;

param:
	role TYPE name dims qualifiers { $$ = param_field(p, @$, $1, $2, $3, @3, $4, $5); }
|	TYPE name dims { $$ = param_new(p, @$, PARAM_SCALAR, $1, $2, @2, $3, NULL); }
|	TYPE name dims "=" init { $$ = param_new(p, @$, PARAM_SCALAR, $1, $2, @2, $3, $5); }
|	CONST TYPE name { $$ = param_new(p, @$, PARAM_CONST, $2, $3, @3, (AstList){ 0 }, NULL); }
|	CONST TYPE name "=" expr {
		$$ = param_new(p, @$, PARAM_CONST, $2, $3, @3, (AstList){ 0 }, init_value(p, @5, $5));
	}
|	AXIS name { $$ = param_new(p, @$, PARAM_AXIS, TYPE_I32, $2, @2, (AstList){ 0 }, NULL); }
|	RESULT TYPE name { $$ = param_new(p, @$, PARAM_RESULT, $2, $3, @3, (AstList){ 0 }, NULL); }
|	error { yyerrok; $$ = NULL; }
|	error "=" init { $$ = NULL; }
;

role:
	IN { $$ = PARAM_IN; }
|	OUT { $$ = PARAM_OUT; }
|	INOUT { $$ = PARAM_INOUT; }
;

qualifiers:
	on_opt { $$ = (AstQualifiers){ .on = $1 }; }
|	INTERLEAVED on_opt { $$ = (AstQualifiers){ .on = $2, .interleaved = TRUE }; }
|	on INTERLEAVED { $$ = (AstQualifiers){ .on = $1, .interleaved = TRUE }; }
;

on_opt:
	%empty { $$ = (AstOn){ 0 }; }
|	on
;

on:
	ON ID { $$ = (AstOn){ .at = @$, .grid = $2 }; }
|	ON axes { $$ = on_axes(p, @$, $2); }
;

clauses:
	clause
|	clauses clause
;

clause:
	ASSOCIATIVE { clause_associative(p, @$); }
|	STEPS expr { clause_steps(p, @$, $2); }
|	HALO INT { clause_halo(p, @$, expr_int_new(p, @2, $2), (AstList){ 0 }); }
|	HALO ID { clause_halo(p, @$, expr_name(p, @2, $2), (AstList){ 0 }); }
|	HALO axes { clause_halo(p, @$, NULL, $2); }
;

/* A missing "}" is found at the next declaration. */
body:
	block
|	"{" error { yyerrok; $$ = (AstList){ 0 }; }
|	"{" stmts error { yyerrok; $$ = $2; }
;

/* ---- statements ---- */

block:
	"{" "}" { $$ = (AstList){ 0 }; }
|	"{" stmts "}" { $$ = $2; }
|	"{" error "}" { yyerrok; $$ = (AstList){ 0 }; }
|	"{" stmts error "}" { yyerrok; $$ = $2; }
;

stmts:
	some { $$ = $1; }
|	stmts some { $$ = list_join(p, $1, $2); }
;

some:
	stmt { $$ = list_of(p, $1); }
|	TEMP TYPE temps ";" { $$ = temps_finish(@$, $2, $3); }
;

stmt:
	TYPE name "=" expr ";" { $$ = stmt_local(p, @$, $1, $2, @2, $4); }
|	ref "=" expr ";" { $$ = stmt_assign(p, @$, $1, $3); }
|	BOUNDARY names ":" faces ";" { $$ = stmt_boundary(p, @$, $2, $4); }
|	REQUIRE expr ";" { $$ = stmt_require(p, @$, $2, NULL); }
|	REQUIRE expr "," STRING ";" { $$ = stmt_require(p, @$, $2, $4); }
|	UNTIL expr EVERY expr ";" { $$ = stmt_until(p, @$, $2, $4); }
|	SCAN "(" ID ")" ref "=" expr start ";" { $$ = stmt_scan(p, @$, $3, @3, FALSE, $5, $7, $8); }
|	SCAN "(" ID "-" ")" ref "=" expr start ";" {
		$$ = stmt_scan(p, @$, $3, @3, TRUE, $6, $8, $9);
	}
|	for_head block { $$ = $1 ? stmt_for(p, @$, $1, $2) : NULL; }
|	wrong_for block { yyerrok; $$ = NULL; }
|	if
|	ID "(" args ")" ";" { $$ = stmt_call(p, @$, $1, @1, $3); }
|	FOR error ";" { yyerrok; $$ = NULL; }
|	error ";" { yyerrok; $$ = NULL; }
|	error block { yyerrok; $$ = NULL; }
|	error block ";" { yyerrok; $$ = NULL; }
;

/* What an "(" begins is over before the block, so that a mistake behind the block
 * is not taken for one between the parentheses. */
for_head:
	FOR "(" range ")" { $$ = $3; }
|	FOR "(" error ")" { $$ = NULL; }
;

if_head:
	IF "(" expr ")" { $$ = $3; }
|	IF "(" error ")" { $$ = NULL; }
;

if:
	if_head block { $$ = $1 ? stmt_if(p, @$, $1, $2, FALSE, (AstList){ 0 }) : NULL; }
|	if_head block ELSE else { $$ = $1 ? stmt_if(p, @$, $1, $2, TRUE, $4) : NULL; }
|	wrong_if block { yyerrok; $$ = NULL; }
|	wrong_if block ELSE else { yyerrok; $$ = NULL; }
|	IF error ";" { yyerrok; $$ = NULL; }
;

/* Without parentheses, or with one: the block is read in any case. */
wrong_for:
	FOR error
|	FOR "(" error
;

wrong_if:
	IF error
|	IF "(" error
;

else:
	block
|	if { $$ = list_of(p, $1); }
;

start:
	%empty { $$ = (AstStart){ 0 }; }
|	FROM expr { $$ = (AstStart){ START_FROM, $2 }; }
|	ANYWHERE expr { $$ = (AstStart){ START_ANYWHERE, $2 }; }
;

temps:
	temp { $$ = list_of(p, $1); }
|	temps "," temp { $$ = list_add(p, $1, $3); }
;

temp:
	name dims on_opt { $$ = stmt_temp(p, @$, $1, @1, $2, $3, NULL); }
|	name dims on "=" expr { $$ = stmt_temp(p, @$, $1, @1, $2, $3, $5); }
|	name dims "=" expr on_opt { $$ = stmt_temp(p, @$, $1, @1, $2, $5, $4); }
;

names:
	name { $$ = list_of(p, expr_name(p, @1, $1)); }
|	names "," name { $$ = list_add(p, $1, expr_name(p, @3, $3)); }
;

faces:
	face { $$ = list_of(p, $1); }
|	faces "," face { $$ = list_add(p, $1, $3); }
;

face:
	face_kind
|	ID face_kind { $$ = face_on(@$, $2, $1, @1, NULL, @1); }
|	ID "." ID face_kind { $$ = face_on(@$, $4, $1, @1, $3, @3); }
;

face_kind:
	ID { $$ = face_new(p, @$, $1, @1, NULL); }
|	ID "(" expr ")" { $$ = face_new(p, @$, $1, @1, $3); }
;

/* ---- expressions ---- */

name:
	ID
|	role_word
;

/* Keywords only where a declaration can start. */
role_word:
	IN
|	OUT
|	INOUT
|	TEMP
|	RESULT
;

ref:
	name { $$ = expr_name(p, @$, $1); }
|	name "[" exprs "]" { $$ = expr_subscript(p, @$, expr_name(p, @1, $1), $3); }
;

exprs:
	expr { $$ = list_of(p, $1); }
|	exprs "," expr { $$ = list_add(p, $1, $3); }
;

args:
	%empty { $$ = (AstList){ 0 }; }
|	exprs
;

ranges:
	range { $$ = list_of(p, $1); }
|	ranges "," range { $$ = list_add(p, $1, $3); }
;

range:
	ID IN expr ".." expr { $$ = range_new(p, @$, $1, @1, $3, $5); }
;

window:
	REDUCE
|	MIN { $$ = WINDOW_MIN; }
|	MAX { $$ = WINDOW_MAX; }
;

expr:
	expr "?" expr ":" expr { $$ = expr_select(p, @$, @2, $1, $3, $5); }
|	expr "||" expr { $$ = expr_infix(p, @$, AST_OR, @2, $1, $3); }
|	expr "&&" expr { $$ = expr_infix(p, @$, AST_AND, @2, $1, $3); }
|	expr "|" expr { $$ = expr_infix(p, @$, AST_BITOR, @2, $1, $3); }
|	expr "^" expr { $$ = expr_infix(p, @$, AST_BITXOR, @2, $1, $3); }
|	expr "&" expr { $$ = expr_infix(p, @$, AST_BITAND, @2, $1, $3); }
|	expr "==" expr { $$ = expr_infix(p, @$, AST_EQ, @2, $1, $3); }
|	expr "!=" expr { $$ = expr_infix(p, @$, AST_NE, @2, $1, $3); }
|	expr "<" expr { $$ = expr_infix(p, @$, AST_LT, @2, $1, $3); }
|	expr ">" expr { $$ = expr_infix(p, @$, AST_GT, @2, $1, $3); }
|	expr "<=" expr { $$ = expr_infix(p, @$, AST_LE, @2, $1, $3); }
|	expr ">=" expr { $$ = expr_infix(p, @$, AST_GE, @2, $1, $3); }
|	expr "<<" expr { $$ = expr_infix(p, @$, AST_SHL, @2, $1, $3); }
|	expr ">>" expr { $$ = expr_infix(p, @$, AST_SHR, @2, $1, $3); }
|	expr "+" expr { $$ = expr_infix(p, @$, AST_ADD, @2, $1, $3); }
|	expr "-" expr { $$ = expr_infix(p, @$, AST_SUB, @2, $1, $3); }
|	expr "*" expr { $$ = expr_infix(p, @$, AST_MUL, @2, $1, $3); }
|	expr "/" expr { $$ = expr_infix(p, @$, AST_DIV, @2, $1, $3); }
|	expr "%" expr { $$ = expr_infix(p, @$, AST_REM, @2, $1, $3); }
|	"-" expr %prec UNARY { $$ = expr_prefix(p, @$, AST_NEG, @1, $2); }
|	"+" expr %prec UNARY { $$ = expr_prefix(p, @$, AST_PLUS, @1, $2); }
|	"!" expr %prec UNARY { $$ = expr_prefix(p, @$, AST_NOT, @1, $2); }
|	"~" expr %prec UNARY { $$ = expr_prefix(p, @$, AST_BITNOT, @1, $2); }
|	INT { $$ = expr_int_new(p, @$, $1); }
|	REAL { $$ = expr_real_new(p, @$, $1); }
|	ref
|	"(" expr ")" { $$ = expr_in_parentheses($2, @$); }
|	ID "(" args ")" { $$ = expr_call(p, @$, $1, @1, $3); }
|	ID "(" args ")" "[" exprs "]" {
		$$ = expr_subscript(p, @$, expr_call(p, span_join(@1, @4), $1, @1, $3), $6);
	}
|	MIN "(" exprs ")" { $$ = expr_call(p, @$, $1, @1, $3); }
|	MAX "(" exprs ")" { $$ = expr_call(p, @$, $1, @1, $3); }
|	TYPE "(" expr ")" { $$ = expr_convert(p, @$, $1, @1, $3); }
|	window "[" ranges "]" "(" expr ")" { $$ = expr_window(p, @$, $1, @1, $3, FALSE, $6); }
|	window "[" GRID "]" "(" expr ")" { $$ = expr_window(p, @$, $1, @1, (AstList){ 0 }, TRUE, $6); }
;

%%

static int
yylex(STENCIL_STYPE *value, Span *at, Parser *p)
{
	return parser_next_token(p, value, at);
}

static int
yyreport_syntax_error(const yypcontext_t *context, Parser *p)
{
	yysymbol_kind_t expected[YYNTOKENS];
	int n = yypcontext_expected_tokens(context, expected, YYNTOKENS);
	const char *names[YYNTOKENS];
	int tokens[YYNTOKENS];

	for (int i = 0; i < n; i++) {
		tokens[i] = (int)expected[i];
		names[i] = yysymbol_name(expected[i]);
	}
	syntax_error(p, (int)yypcontext_token(context), *yypcontext_location(context), tokens, names, n);
	return 0;
}

/* Only "memory exhausted" comes here: syntax errors have their own reporter. */
static void
yyerror(const Span *at, Parser *p, const char *message)
{
	(void)message;
	parser_give_up(p, *at, "the program is nested too deeply here");
}
