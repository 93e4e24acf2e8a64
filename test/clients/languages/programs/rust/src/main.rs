use posthog_rs::{client, ClientOptionsBuilder, Event};

const EVENTS: usize = 3;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let (host, token, run, historical) = (&words[1], &words[2], &words[3], words[4] == "historical");
    let options = ClientOptionsBuilder::default()
        .api_key(token.to_string())
        .host(host.to_string())
        .build()
        .expect("options");
    let client = client(options);
    let events = (0..EVENTS)
        .map(|_| {
            let mut event = Event::new("sdk", run.as_str());
            event.insert_prop("run", run).expect("a property");
            event
        })
        .collect();
    client.capture_batch(events, historical);
    client.shutdown();
}
