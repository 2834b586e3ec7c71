# What a bot in Perl needs: reads and writes the arena's JSON lines, calls the bot, knows cards and moves by text.
#
#     ArenaBot::run(sub {
#         my ($game) = @_;                        # once for each game
#         return sub { my ($turn) = @_; ... };    # for each decision: returns the text of a move
#     });
#
# Core Perl only. Everything a bot sees is plain data with the arena's texts in it: cards "R10", moves "bid 80".
package ArenaBot;

use strict;
use warnings;
use JSON::PP ();

our $SDK = 'arena-perl 0.1';

my $JSON  = JSON::PP->new->utf8->canonical;
my $VALUE = JSON::PP->new->utf8->allow_nonref;    # the values of options
my %SUITS = (    # by family: letters and words of the suits, by number
    rook => [ [qw(B G R Y)], [qw(black green red yellow)] ],
    crow => [ [qw(R G B T)], [qw(red green blue thirst)] ],
    goat => [ [qw(C D H S)], [qw(clubs diamonds hearts spades)] ],
);
my %RANKS   = (J => 10, Q => 11, K => 12, 10 => 13, A => 14);         # of Goat, by strength
my %SPECIAL = (ROOK => 65, RED1 => 66);
my %ABSENT  = (rook => [qw(bidder trump)], crow => [], goat => []);
my (%number, %text);                                                   # of cards, by family

for my $family (keys %SUITS) {
    my %cards = $family eq 'rook' ? %SPECIAL : ();
    for my $suit (0 .. 3) {
        my $letter = $SUITS{$family}[0][$suit];
        if ($family eq 'goat') {
            my %ranks = ((map { ($_ => $_) } 6 .. 9), %RANKS);
            $cards{ $_ . $letter } = $suit << 4 | $ranks{$_} for keys %ranks;
        }
        else {
            $cards{ $letter . $_ } = $suit << 4 | $_ for $family eq 'rook' ? 1 .. 14 : 2 .. 10;
        }
    }
    $number{$family} = \%cards;
    $text{$family}   = { reverse %cards };
}

# The number of a card, `suit << 4 | rank`.
sub card { my ($family, $text) = @_; return $number{$family}{$text} // die "no card of $family: '$text'\n" }

# The suit of a card as its number, and its rank; in Goat the rank is the strength (J 10 ... ten 13, A 14).
sub suit { return card(@_) >> 4 }
sub rank { return card(@_) & 15 }

# --- from the arena --------------------------------------------------------------------------------------------------

# An event of a line: {event => "turn", game => 1, ...}; undef for what this version does not know.
sub read_event {
    my ($line) = @_;
    my $data = $JSON->decode($line);
    my ($name) = keys %$data;
    my $event = _snake($data->{ $name // '' } // return);
    $event->{event} = $name eq 'gameStart' ? 'game_start' : $name eq 'gameOver' ? 'game_over' : $name;
    return _turn($event, $data->{turn}) if $name eq 'turn';
    if ($name eq 'gameStart') {
        $event->{$_} //= undef for qw(partner clock);
        my $options = $data->{gameStart}{options};
        $event->{options} = { map { $_ => $VALUE->decode($options->{$_}) } keys %$options };
    }
    if ($name eq 'gameOver') {
        $event->{forfeit_seat} //= undef;
        $event->{verdict} = lc($event->{verdict} =~ s/^VERDICT_//r);
    }
    return $event;
}

sub _turn {
    my ($event) = @_;
    my ($family) = grep { exists $event->{$_} } keys %SUITS or return;
    my $view = delete $event->{$family};
    $view->{$_} //= undef for @{ $ABSENT{$family} };
    $view->{trump} = $SUITS{$family}[1][ $view->{trump} ] if defined $view->{trump};
    if ($family eq 'rook') { $_->{declarer} //= undef for @{ $view->{results} } }
    my $legal = $event->{legal};
    if (my $choose = $legal->{choose}) {
        $event->{legal} = {
            kind   => lc($choose->{kind} =~ s/^MOVE_KIND_//r),
            choose => $choose->{count},
            from   => [ map { $text{$family}{$_} } @{ $choose->{cards} } ],
        };
    }
    else {
        $event->{legal} = [ map { move_text($family, $_) } @{ $legal->{moves} } ];
    }
    $event->{$_} //= undef for qw(limit_ms bank_ms);
    @$event{qw(family view)} = ($family, $view);
    return $event;
}

# Names with underscores; enum values without their prefixes: "GOAT_CARD_10H" is 10H, "ROOK_PHASE_PLAY" is play.
sub _snake {
    my ($data) = @_;
    if (ref $data eq 'HASH') {
        return { map { s/([A-Z])/_\l$1/gr => _snake($data->{$_}) } keys %$data };
    }
    return [ map { _snake($_) } @$data ] if ref $data eq 'ARRAY';
    return $data if ref $data || !defined $data;
    return $1 if $data =~ /^(?:ROOK|CROW|GOAT)_CARD_(\w+)$/;
    return lc $1 if $data =~ /^(?:ROOK_PHASE|GOAT_PHASE|GOAT_ACT)_(\w+)$/;
    return $data;
}

# --- moves -----------------------------------------------------------------------------------------------------------

# A move of the protocol, its names with underscores, as its text: {bid => 80} is "bid 80".
sub move_text {
    my ($family, $move) = @_;
    my ($kind) = keys %$move;
    my $value = $move->{$kind};
    return $kind if $kind eq 'pass' || $kind eq 'molodka';
    return "bid $value" if $kind eq 'bid';
    return "trump $SUITS{$family}[1][$value]" if $kind eq 'name_trump';
    return $text{$family}{$value} if $kind eq 'play';
    return join ' ', $kind, map { $text{$family}{$_} } @{ $value->{cards} };
}

# The other way round.
sub move_of {
    my ($family, $text) = @_;
    my ($word, @rest) = split ' ', $text;
    return { $word => JSON::PP::true } if $word eq 'pass' || $word eq 'molodka';
    return { bid   => 0 + $rest[0] } if $word eq 'bid';
    if ($word eq 'trump') {
        my ($suit) = grep { $SUITS{$family}[1][$_] eq $rest[0] } 0 .. 3;
        return { nameTrump => $suit // die "no suit of $family: '$rest[0]'\n" };
    }
    return { $word => { cards => [ map { card($family, $_) } @rest ] } } if @rest;
    return { play  => card($family, $word) };
}

# --- to the arena ----------------------------------------------------------------------------------------------------

# A hello as a line. The bridge puts in the token.
sub hello_line {
    my %hello = (versions => ['1.0'], token => '', sdk => $SDK, concurrent_games => 1, @_);
    $hello{concurrentGames} = delete $hello{concurrent_games};
    return $JSON->encode({ hello => \%hello }) . "\n";
}

# A reply as a line: {game, turn, and choice (an index) or move (a text) with family, and a note if you like}.
sub reply_line {
    my ($reply) = @_;
    my %out = map { $_ => 0 + $reply->{$_} } grep { defined $reply->{$_} } qw(game turn choice);
    $out{move} = move_of(@$reply{qw(family move)}) if defined $reply->{move};
    $out{note} = $reply->{note} // '';
    return $JSON->encode({ reply => \%out }) . "\n";
}

# The reply to a turn for what a bot returned: the text of a legal move. Dies if it is none.
sub answer {
    my ($turn, $move) = @_;
    my %reply = map { $_ => $turn->{$_} } qw(game turn family note);
    if (ref $turn->{legal} eq 'HASH') {
        my ($word, @cards) = split ' ', $move;
        my %free = map { $_ => 1 } @{ $turn->{legal}{from} };
        my $taken = grep { delete $free{$_} } @cards;
        return { %reply, move => $move }
            if $word eq $turn->{legal}{kind} && @cards == $taken && $taken == $turn->{legal}{choose};
    }
    else {
        my $legal = $turn->{legal};
        for my $place (0 .. $#$legal) { return { %reply, choice => $place } if $legal->[$place] eq $move }
    }
    die "game $turn->{game}, turn $turn->{turn}: '$move' is not legal; legal: " . $JSON->encode($turn->{legal}) . "\n";
}

# The first legal move; of cards to be chosen the first ones.
sub first_move {
    my ($legal) = $_[0]{legal};
    return $legal->[0] if ref $legal eq 'ARRAY';
    return join ' ', $legal->{kind}, @{ $legal->{from} }[ 0 .. $legal->{choose} - 1 ];
}

# --- the program -----------------------------------------------------------------------------------------------------

# Play until goodbye or the end of the input. `$start` is called with each game's start and returns what decides in it.
sub run {
    my ($start, %hello) = @_;
    my %players;
    binmode $_ for *STDIN, *STDOUT;
    local $| = 1;
    print hello_line(%hello);
    while (my $line = <STDIN>) {
        my $event = read_event($line) or next;
        my $what = $event->{event};
        if    ($what eq 'game_start') { $players{ $event->{game} } = $start->($event) }
        elsif ($what eq 'turn')       { print reply_line(answer($event, $players{ $event->{game} }->($event))) }
        elsif ($what eq 'rejected')   { print STDERR "game $event->{game}, turn $event->{turn}: $event->{reason}\n" }
        elsif ($what eq 'game_over')  { delete $players{ $event->{game} } }
        elsif ($what eq 'goodbye')    { last }
    }
    return;
}

1;
