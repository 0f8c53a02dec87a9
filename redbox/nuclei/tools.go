//go:build tools

// Pins what the image builds nuclei from.
package redbox

import _ "github.com/projectdiscovery/nuclei/v3/cmd/nuclei"
