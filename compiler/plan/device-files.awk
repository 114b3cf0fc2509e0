# device-files.awk: device files to the table of them that is compiled in.

BEGIN {
	print "/* Made of share/devices by device-files.awk. */"
	print "#include \"plan/device.h\"\n\nconst DeviceFile device_files[] = {"
}

FNR == 1 {
	if (NR > 1)
		print "\t},"
	name = FILENAME
	sub(".*/", "", name)
	printf "\t{\n\t\t\"%s\",\n", name
}

{
	gsub(/"/, "\\\"")
	printf "\t\t\"%s\\n\"\n", $0
}

END { print "\t},\n\t{ NULL, NULL },\n};" }
