"""Connecting a program to Callgate: what a new user needs to see first."""
