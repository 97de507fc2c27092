"""One client request from arrival to last byte, over as many rounds as it takes."""
