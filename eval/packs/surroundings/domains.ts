/** The rest of the parcel project: parts that share the words of the tasks, as in real projects. */
export interface Domain {
  readonly name: string;
  readonly thing: string;
  readonly what: string;
  readonly partner: string;
  readonly fields: readonly string[];
  readonly states: readonly string[];
  readonly rule: string;
  readonly because: string;
  readonly known: string;
  readonly quirk: string;
}

const row = (
  name: string,
  thing: string,
  what: string,
  partner: string,
  rest: {
    fields: string;
    states: string;
    rule: string;
    because: string;
    known: string;
    quirk: string;
  },
): Domain => ({
  ...rest,
  name,
  thing,
  what,
  partner,
  fields: rest.fields.split(" "),
  states: rest.states.split(" "),
});

export const DOMAINS: readonly Domain[] = [
  row("billing", "Invoice", "turns booked labels into monthly invoices", "Ledgerly", {
    fields: "Number Customer Period Total Currency DueAt",
    states: "draft sent paid overdue written_off",
    rule: "Amounts are integers of the smallest coin; no floating point touches money",
    because: "Rounding made two invoices differ from their lines by a cent.",
    known: "Ledgerly refuses invoices dated before the last closed month, usually the fifth.",
    quirk: "Ledgerly answers slowly on the first of a month; its queue is worked off by ten.",
  }),
  row("returns", "Return", "lets a receiver send a parcel back and tells the shop", "Backhaul", {
    fields: "Reference Label Reason RequestedAt Refund",
    states: "requested approved in_transit received refused",
    rule: "A return is a new shipment with its own label; it never reuses the first tracking number",
    because: "Two ways under one number confused the timeline and the depot.",
    known: "Shops in Denmark must offer returns for fourteen days by law.",
    quirk: "Backhaul reports received before in_transit when the depot scans late.",
  }),
  row("customs", "Declaration", "writes customs declarations for parcels that leave the union", "Tollgate", {
    fields: "Number Parcel Tariff Value Origin LodgedAt",
    states: "prepared lodged cleared held rejected",
    rule: "A declaration is lodged before the label is printed, never after",
    because: "Parcels without papers were sent back at our cost.",
    known: "Swiss declarations need the tariff number with eight digits, all others six.",
    quirk: "Tollgate signs its answers; the certificate changes each January.",
  }),
  row("notifications", "Message", "sends receivers mail and text messages about their parcel", "Pigeon", {
    fields: "Recipient Template Language SentAt Channel",
    states: "queued sent delivered bounced suppressed",
    rule: "At most one message a day for each parcel, whatever happens to it",
    because: "A storm of events sent eleven mails about one parcel.",
    known: "Text messages to Norway cost six times as much as mail; shops opt in.",
    quirk: "Pigeon reports delivered for addresses that do not exist; bounces come a day later.",
  }),
  row("depots", "Depot", "knows the depots, their gates and opening hours", "DepotMap", {
    fields: "Code City Gates OpensAt ClosesAt",
    states: "open closed moving",
    rule: "Depots are reference data, loaded from a file in the release and never edited in place",
    because: "An edited depot was lost with the next import.",
    known: "Depot Kiel has no gate B; the plan on the wall is wrong.",
    quirk: "DepotMap gives opening hours in local time without an offset.",
  }),
  row("routing", "Route", "plans which depots a parcel passes on its way", "Waypoint", {
    fields: "Origin Destination Hops Weight Cutoff",
    states: "planned active closed",
    rule: "Routes are computed once at booking; a parcel under way is not rerouted by us",
    because: "Carriers ignore changes after the first scan.",
    known: "Parcels above thirty kilograms always go by the night line through Hamburg.",
    quirk: "Waypoint counts a hop for the ferry to Bornholm although nothing is scanned there.",
  }),
  row("claims", "Claim", "handles lost and damaged parcels until the carrier pays", "Assura", {
    fields: "Reference Parcel Amount Evidence FiledAt",
    states: "open waiting paid refused withdrawn",
    rule: "A claim is filed only after the carrier has been silent for fourteen days",
    because: "Early claims were all refused and cost a fee.",
    known: "Assura wants photographs as JPEG below two megabytes.",
    quirk: "Assura closes claims without a word when the evidence is missing a scale.",
  }),
  row("pickups", "Pickup", "orders a van to fetch parcels from a shop", "Vanguard", {
    fields: "Shop Window Parcels OrderedAt Driver",
    states: "ordered confirmed driving done missed",
    rule: "A pickup window is at least two hours long",
    because: "Shorter windows were missed every third time.",
    known: "No pickups on the islands between October and March.",
    quirk: "Vanguard confirms twice when a driver is swapped.",
  }),
  row("tariffs", "Tariff", "prices a shipment by weight, size and zone", "PriceBook", {
    fields: "Zone MaxWeight MaxLength Price ValidFrom",
    states: "draft valid expired",
    rule: "A tariff that was used is never changed; a new one gets a later start",
    because: "Invoices could not be explained after a price was edited.",
    known: "The fuel surcharge is changed on the first Monday of each quarter.",
    quirk: "PriceBook exports commas as decimal points when opened in Excel.",
  }),
  row("accounts", "Account", "holds the shops that book with us and their keys", "Gatehouse", {
    fields: "Name Email Keys Plan CreatedAt",
    states: "invited active suspended closed",
    rule: "Keys are shown once and kept only as a hash",
    because: "A copied table held every customer key in the clear.",
    known: "The largest three shops book four fifths of all labels.",
    quirk: "Gatehouse lower-cases mail addresses, we do not.",
  }),
  row("reports", "Report", "gives shops their numbers as tables and files", "Chartroom", {
    fields: "Name Period Rows Format BuiltAt",
    states: "waiting building ready failed",
    rule: "Reports read the nightly copy, never the live database",
    because: "A yearly report locked bookings for four minutes.",
    known: "The punctuality report leaves out parcels returned by the receiver.",
    quirk: "Chartroom cuts tables after a million rows and says nothing.",
  }),
  row("warehouse", "Bin", "knows what lies where in the sorting hall", "Shelfmark", {
    fields: "Code Aisle Level Capacity Held",
    states: "free filling full blocked",
    rule: "A bin is counted by the scanner, never by hand",
    because: "Counts by hand were wrong by a tenth.",
    known: "Aisle seven floods when it rains hard; nothing heavy on level one.",
    quirk: "Shelfmark gives negative counts for an hour after a power cut.",
  }),
  row("scanning", "Scan", "reads what the hand scanners and the belt see", "Opticode", {
    fields: "Device Barcode Gate At Confidence",
    states: "read unsure unreadable repeated",
    rule: "An unsure scan is kept but never moves a parcel",
    because: "A wrong digit sent parcels to the wrong gate.",
    known: "The belt at gate A reads both sides, the others only the top.",
    quirk: "Opticode sends the last scan again after a reboot.",
  }),
  row("partners", "Partner", "connects shops that book through a marketplace", "Bazaar", {
    fields: "Name Market Token Since Share",
    states: "trial live paused ended",
    rule: "A partner sees only shipments it booked itself",
    because: "A marketplace saw orders of its rival for a day.",
    known: "Bazaar takes two percent of each label and settles in the following month.",
    quirk: "Bazaar repeats an order when our answer takes longer than ten seconds.",
  }),
  row("insurance", "Policy", "insures a shipment above the carrier's own cover", "Umbra", {
    fields: "Number Parcel Cover Premium StartsAt",
    states: "quoted bound lapsed paid",
    rule: "Cover starts with the first scan, not with the booking",
    because: "Premiums were paid for parcels that never left the shop.",
    known: "Umbra does not insure glass, art or living plants.",
    quirk: "Umbra rounds premiums up to full ten cents.",
  }),
  row("addressbook", "Entry", "keeps the receivers a shop sends to often", "Streetwise", {
    fields: "Label Company Line1 Line2 PostCode",
    states: "unchecked valid doubtful gone",
    rule: "An entry is checked when it is used, not when it is saved",
    because: "Half of the saved entries were never used.",
    known: "Irish post codes are optional in the countryside.",
    quirk: "Streetwise corrects spelling in German names that were right.",
  }),
  row("exports", "Export", "hands a shop all of its data as an archive", "Archivist", {
    fields: "Shop Scope Files Bytes FinishedAt",
    states: "asked packing ready fetched expired",
    rule: "An archive is encrypted with the shop's own key and deleted after a week",
    because: "An archive lay in a public bucket for a month.",
    known: "The largest export so far had nine gigabytes and took an hour.",
    quirk: "Archivist truncates file names at a hundred characters.",
  }),
  row("sessions", "Session", "signs people in to the back office", "Keyring", {
    fields: "User Device StartedAt SeenAt Origin",
    states: "fresh idle ended revoked",
    rule: "A session ends after twelve hours, whatever happens in it",
    because: "A tablet in the hall stayed signed in for a year.",
    known: "Scanners sign in with a card, not with a password.",
    quirk: "Keyring counts its hours from midnight UTC.",
  }),
  row("forecast", "Estimate", "guesses when a parcel will arrive", "Almanac", {
    fields: "Parcel Earliest Latest Basis MadeAt",
    states: "rough firm met broken",
    rule: "An estimate is a span of days and is never narrower than one",
    because: "Hours were promised that nobody could keep.",
    known: "Around Easter estimates are a day too early.",
    quirk: "Almanac knows German holidays only.",
  }),
  row("fleet", "Van", "follows our own vans in the city", "Roadbook", {
    fields: "Plate Driver Position Battery SeenAt",
    states: "parked driving charging workshop",
    rule: "Positions are kept for a day and never shown with a driver's name",
    because: "The works council asked for it.",
    known: "Vans eleven and twelve have the small battery.",
    quirk: "Roadbook swaps longitude and latitude in its older interface.",
  }),
];
