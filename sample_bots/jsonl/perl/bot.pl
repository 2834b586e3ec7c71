# A bot in Perl. It thinks in Goat: beats an opponent if the trick is worth it, feeds a partner that is winning, and
# leads what is hard to beat. In all other games it plays the first legal move.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use List::Util qw(first max sum0);
use ArenaBot;

my %POINTS = (J => 2, Q => 3, K => 4, 10 => 10, A => 11);

# What a Goat card counts, and whether it is a trump. A card is its text: "10H".
sub points { return $POINTS{ substr $_[0], 0, -1 } // 0 }

sub is_trump {
    my ($card, $view) = @_;
    return lc substr($card, -1) eq substr $view->{trump}, 0, 1;    # the letter of the suit: hearts, H
}

# How unwilling we are to part with a card: its points, and more for a trump.
sub price {
    my ($card, $view) = @_;
    return points($card) + ArenaBot::rank(goat => $card) / 10 + (is_trump($card, $view) ? 9 : 0);
}

# What is on the table since the lead: who is winning, for how many points, and how many seats come after us.
sub table {
    my ($view) = @_;
    my @cards = @{ $view->{act_cards} };
    my ($winner, $pot, $answers) = ($view->{leader}, 0, 0);
    for my $act (0 .. $#{ $view->{acts} }) {
        my ($kind, $seat, $count) = map { $view->{$_}[$act] } qw(acts act_seats act_counts);
        my $shown = $kind eq 'drop' && $seat != $view->{seat} ? 0 : $count;    # drops of others are hidden
        my @shown = splice @cards, 0, $shown;
        ($pot, $answers) = (0, -1) if $kind eq 'lead' || $kind eq 'molodka';
        $pot += sum0(map { points($_) } @shown) + 2 * ($count - $shown);       # 2: a guess at what was dropped
        $answers++;
        $winner = $seat if $kind ne 'drop' && $kind ne 'decline';
    }
    return { winner => $winner, pot => $pot, after => 2 - $answers };
}

# Lead high cards of a plain suit together, or the card that we miss least.
sub lead {
    my ($view, @moves) = @_;
    my $worth = sub {
        my (undef, @cards) = split ' ', $_[0];
        my $strong = sum0(map { ArenaBot::rank(goat => $_) >= 13 ? points($_) : 0 } @cards);
        return (@cards > 1 ? 3 * @cards + $strong : 0) - sum0(map { price($_, $view) } @cards);
    };
    return best($worth, @moves);
}

sub answer {
    my ($view, @moves) = @_;
    my $molodka = first { $_ eq 'molodka' } @moves;
    return $molodka if $molodka;
    my $table  = table($view);
    my $sum    = sub {    # of something over the cards of a move
        my (undef, @cards) = split ' ', $_[0];
        return sum0(map { $_[1]->($_) } @cards);
    };
    my $price  = sub { return $sum->($_[0], sub { price($_[0], $view) }) };
    my @drops  = grep { /^drop/ } @moves;
    my @beats  = grep { /^beat/ } @moves;
    my $friend = ($table->{winner} - $view->{seat}) % 2 == 0;
    my $keep   = sub { my ($card) = @_; return is_trump($card, $view) ? 9 : 0 };
    return best(sub { $sum->($_[0], \&points) - $sum->($_[0], $keep) }, @drops) if $friend;
    my $cheap = best(sub { -$price->($_[0]) }, @drops);
    return $cheap if !@beats;
    my $beat = best(sub { -$sum->($_[0], $keep) + ($table->{after} ? -0.3 : 1) * $sum->($_[0], \&points) }, @beats);
    my $gain = 2 * $table->{pot} + $sum->($beat, \&points) * ($table->{after} ? 0.5 : 1) + 3;
    return $gain >= $sum->($beat, $keep) ? $beat : $cheap;
}

# The move with the highest worth, the first of several.
sub best {
    my ($worth, @moves) = @_;
    my %worth = map { $_ => $worth->($_) } @moves;
    my $most  = max values %worth;
    return first { $worth{$_} == $most } @moves;
}

sub decide {
    my ($turn) = @_;
    return ArenaBot::first_move($turn) if $turn->{family} ne 'goat' || @{ $turn->{legal} } == 1;
    my $phase = $turn->{view}{phase};
    return lead($turn->{view}, @{ $turn->{legal} })   if $phase eq 'lead';
    return answer($turn->{view}, @{ $turn->{legal} }) if $phase eq 'answer';
    return $turn->{legal}[-1];    # asked before a trick: call the molodka if we have one
}

# Called at the start of each game with {ruleset, options, seat, seats, partner, seed, ...}; here games need no state.
ArenaBot::run(sub { return \&decide }, concurrent_games => 32) unless caller;
1;
