module send

go 1.22

require github.com/posthog/posthog-go v1.5.2
