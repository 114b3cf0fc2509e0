# text-file.awk: a file as a string of C called NAME.
BEGIN { printf "/* Made by text-file.awk. */\n#include \"%s\"\n\nconst char %s[] =\n", header, name }
{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); gsub(/\t/, ""); printf "\t\"%s\\n\"\n", $0 }
END { print "\t;" }
