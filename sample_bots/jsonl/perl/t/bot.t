# Run by "prove -l" in the bot's folder: the recorded lines of the arena, and the strategy.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Test::More;
use ArenaBot;

require "$FindBin::Bin/../bot.pl";

my $JSON = JSON::PP->new->utf8;

# The lines of a file as data; nothing if there is no such file.
sub lines_of {
    my ($file) = @_;
    open my $in, '<', $file or return;
    return map { $JSON->decode($_) } <$in>;
}

# The line that the SDK writes for an event of a bot.
sub built {
    my ($event) = @_;
    return ArenaBot::reply_line($event) if $event->{event} eq 'reply';
    return ArenaBot::hello_line(map { $_ => $event->{$_} } qw(versions token sdk concurrent_games));
}

subtest 'recorded frames are read and written as they are meant' => sub {
    my $file   = $ENV{ARENA_VECTORS} // "$FindBin::Bin/../../../../tests/vectors/frames.jsonl";
    my @meant  = lines_of($file);
    my @frames = lines_of($file =~ s/\.jsonl$/_json.jsonl/r);
    plan skip_all => "no recorded frames in $file; name them by ARENA_VECTORS" if !@meant || !@frames;
    is(scalar @frames, scalar @meant, 'as many frames as meanings');
    for my $number (0 .. $#frames) {
        my ($frame, $events) = ($frames[$number], $meant[$number]{events});
        if ($frame->{from} eq 'arena') {
            is_deeply([ map { ArenaBot::read_event($_) } @{ $frame->{lines} } ], $events, $frame->{name});
            next;
        }
        my @built = map { $JSON->decode(built($_)) } @$events;
        is_deeply(\@built, [ map { $JSON->decode($_) } @{ $frame->{lines} } ], $frame->{name});
    }
};

subtest 'cards by name' => sub {
    is(ArenaBot::card(rook => 'R14'),  46, 'R14');
    is(ArenaBot::card(rook => 'ROOK'), 65, 'ROOK');
    is(ArenaBot::suit(crow => 'T7'),   3,  'thirst');
    is(ArenaBot::rank(goat => '10H'),  13, 'a ten ranks over a king');
    ok(!eval { ArenaBot::card(crow => 'B11') }, 'there is no B11 in Crow');
};

subtest 'answers' => sub {
    my $turn = { game => 1, turn => 7, family => 'rook', legal => [ 'R10', 'ROOK' ] };
    is(ArenaBot::answer($turn, 'ROOK')->{choice}, 1, 'by index');
    ok(!eval { ArenaBot::answer($turn, 'B5') }, 'what is not legal is not sent');
    like($@, qr/game 1, turn 7: 'B5' is not legal/, 'and the author is told');
    $turn->{legal} = { kind => 'discard', choose => 2, from => [qw(B5 G7 R9)] };
    is(ArenaBot::answer($turn, 'discard R9 B5')->{move}, 'discard R9 B5', 'chosen cards');
    ok(!eval { ArenaBot::answer($turn, 'discard B5 B5') }, 'none twice');
    ok(!eval { ArenaBot::answer($turn, 'discard B5') },    'as many as asked for');
    is(ArenaBot::first_move($turn), 'discard B5 G7', 'the first ones');
};

# A turn of Goat: seat 0 is to answer the lead of seat 3, or of seat 2, its partner.
sub answering {
    my ($leader, $led, $hand) = @_;
    my @seats = $leader == 3 ? (3) : (2, 3);
    my $view  = {
        seat       => 0,
        phase      => 'answer',
        trump      => 'hearts',
        leader     => $leader,
        hand       => $hand,
        act_seats  => \@seats,
        acts       => [ 'lead', ('drop') x $#seats ],
        act_counts => [ (1) x @seats ],
        act_cards  => [$led],
    };
    return { game => 1, turn => 1, family => 'goat', view => $view };
}

subtest 'Goat' => sub {
    my $turn = answering(3, 'AS', [qw(6C JD 7H)]);
    $turn->{legal} = [ 'beat 7H', 'drop 6C', 'drop JD', 'drop 7H' ];
    is(decide($turn), 'beat 7H', 'takes eleven points with a small trump');
    $turn = answering(3, '7S', [qw(6C JD AH)]);
    $turn->{legal} = [ 'beat AH', 'drop 6C', 'drop JD', 'drop AH' ];
    is(decide($turn), 'drop 6C', 'spends no trump for nothing, and drops what is cheapest');
    $turn = answering(2, 'AS', [qw(6C 10D 7H)]);
    $turn->{legal} = [ 'beat 7H', 'drop 6C', 'drop 10D', 'drop 7H' ];
    is(decide($turn), 'drop 10D', 'feeds a partner that is winning');
    $turn->{legal} = [ 'drop 6C', 'molodka' ];
    is(decide($turn), 'molodka', 'calls a molodka');
};

subtest 'other games' => sub {
    my $turn = { game => 1, turn => 1, family => 'crow', view => {}, legal => [ 'R4', 'T7' ] };
    is(decide($turn), 'R4', 'the first legal move');
};

done_testing;
