package main

import (
	"os"

	"github.com/posthog/posthog-go"
)

const events = 3

func main() {
	host, token, run := os.Args[1], os.Args[2], os.Args[3]
	config := posthog.Config{Endpoint: host, HistoricalMigration: os.Args[4] == "historical"}
	client, err := posthog.NewWithConfig(token, config)
	if err != nil {
		panic(err)
	}
	for range events {
		properties := posthog.NewProperties().Set("run", run)
		if err := client.Enqueue(posthog.Capture{DistinctId: run, Event: "sdk", Properties: properties}); err != nil {
			panic(err)
		}
	}
	if err := client.Close(); err != nil {
		panic(err)
	}
}
