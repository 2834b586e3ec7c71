//! A bot's connection to the arena: one stream over gRPC, from hello to goodbye.

use std::env;
use std::process::ExitCode;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Code, Request, Status};
use tonic_prost::ProstCodec;

use crate::bot::Bot;
use crate::dial::endpoint;
use crate::game::Game;
use crate::table::{BotError, Table, hello};
use crate::v1;

const METHOD: &str = "/arena.v1.Arena/Play";
/// Replies in one frame; with the longest notes they stay below the 256 KiB that the arena takes.
const REPLIES: usize = 100;
/// How long the arena is given to close the stream after a goodbye.
const PARTING: Duration = Duration::from_secs(1);

/// Play until the arena says goodbye: the main program of a bot. `make` makes the bot of each game.
///
/// Reads ARENA_ADDRESS (a gRPC target, "unix:/path/seat.sock" or "host:port"), ARENA_TOKEN, and what `endpoint` reads.
/// Returns status 0 after a goodbye or the end of the stream, 1 when the arena does not let it in, the connection is
/// lost or the bot chose what is not legal, 2 without an address.
pub fn run<B: Bot>(make: impl FnMut(&Game) -> B) -> ExitCode {
    let Some(address) = env::var("ARENA_ADDRESS").ok().filter(|text| !text.is_empty()) else {
        eprintln!("this program plays when the arena starts it: ARENA_ADDRESS is not set, a gRPC target was expected");
        eprintln!("fix: play it with \"arena play GAME FOLDER\", or check it with \"arena bot check FOLDER\"");
        return ExitCode::from(2);
    };
    let token = env::var("ARENA_TOKEN").unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime of one thread can be made");
    let mut table = Table::new(make);
    let mut take = |frame: &v1::ArenaFrame| Ok((table.frame(frame)?, table.goodbye.clone()));
    match runtime.block_on(play(&mut take, &address, &token)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Takes a frame; returns the frame to send, and the reason of the arena's goodbye.
type Take<'a> = &'a mut dyn FnMut(&v1::ArenaFrame) -> Result<(Option<v1::BotFrame>, Option<String>), BotError>;

/// Play over a stream. It is not generic, so that a change of the bot does not compile it again.
async fn play(take: Take<'_>, address: &str, token: &str) -> Result<(), BotError> {
    let lost = |status: Status| {
        let (code, message) = (status.code(), status.message());
        BotError(format!("the connection to the arena at {address:?} ended: {code:?}: {message}"))
    };
    let refused = |error: &dyn std::error::Error| {
        let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
        BotError(format!("cannot connect to the arena at {address:?}: {error}{cause}"))
    };
    let channel = endpoint(address)?.connect().await.map_err(|error| refused(&error))?;
    let mut client = tonic::client::Grpc::new(channel).max_decoding_message_size(usize::MAX);
    client.ready().await.map_err(|error| refused(&error))?;
    let (send, frames) = mpsc::unbounded_channel::<v1::BotFrame>();
    let closed = |_| lost(Status::new(Code::Unavailable, "the arena reads no more"));
    send.send(hello(token)).map_err(closed)?;
    let request = Request::new(UnboundedReceiverStream::new(frames));
    let path = METHOD.parse().expect("the method is a path");
    let codec = ProstCodec::<v1::BotFrame, v1::ArenaFrame>::default();
    let reply = client.streaming(request, path, codec).await;
    let mut stream = reply.map_err(lost)?.into_inner();
    while let Some(frame) = stream.message().await.map_err(lost)? {
        let (answer, goodbye) = take(&frame)?;
        if let Some(v1::BotFrame { events }) = answer {
            for events in events.chunks(REPLIES) {
                let events = events.to_vec();
                send.send(v1::BotFrame { events }).map_err(closed)?;
            }
        }
        if let Some(reason) = goodbye {
            drop(send);
            while let Ok(Ok(Some(_))) = timeout(PARTING, stream.message()).await {}
            return match reason.as_str() {
                "" | "done" => Ok(()),
                _ => Err(BotError(format!("the arena sent this bot away: {reason}"))),
            };
        }
    }
    Ok(())
}
