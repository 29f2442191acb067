"""KataGo's JSON analysis protocol: queries in, answers out, in any order."""
