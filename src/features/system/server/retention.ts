import type { RetentionRule } from '../../../platform/retention.ts'
import { chatDays } from '../../chat/rules.ts'
import { documentKeptDays } from '../../employees/documents/rules.ts'
import { uploadDays } from '../../files/rules.ts'
import { troubleWithinDays } from '../../messages/returns/rules.ts'
import { positionDays } from '../../positions/rules.ts'
import { pageViewDays } from '../../prospects/rules.ts'
import { deviceDays, sendDays } from '../../push/rules.ts'

/** Everything that is deleted because its time is over. docs/operations.md shows this table. */
export const retentionRules: readonly RetentionRule[] = [
  {
    table: 'idempotency_keys',
    of: 'business',
    since: 'created_at',
    days: 35,
    why: 'Crews may send a day again that was a month without a signal; after that nobody repeats a key.',
  },
  { table: 'sessions', of: 'business', since: 'expires_at', days: 30, why: 'Shows for a month where somebody was.' },
  { table: 'account_links', of: 'business', since: 'expires_at', days: 30, why: 'A link that is over does nothing.' },
  {
    table: 'events',
    of: 'business',
    since: 'at',
    days: 30,
    why: 'Its deliveries carry their own copy and give up after days.',
  },
  {
    table: 'job_edits',
    of: 'business',
    since: 'created_at',
    days: 30,
    why: 'For a month a change of many jobs can be taken back; it holds each of their visits twice.',
  },
  {
    table: 'season_runs',
    of: 'business',
    since: 'created_at',
    days: 400,
    why: 'A plan of last season can be looked at beside the next one; each holds all recurring work.',
  },
  {
    table: 'crew_changes',
    of: 'business',
    since: 'made_at',
    days: 90,
    why: 'For a season a change of crew can be taken back, and a stand-in that was planned early; who was on a crew stays.',
  },
  {
    table: 'crew_commands',
    of: 'business',
    since: 'received_at',
    days: 400,
    only: "result <> 'conflict'",
    why: 'A phone that lay in a drawer for a season still gets the same answers; a conflict stays on its visit.',
  },
  {
    table: 'application_records',
    of: 'business',
    since: 'applied_at',
    days: 1827,
    why: 'Five years, longer than any state asks for that we know of; before that the database itself refuses it.',
  },
  {
    table: 'unrecorded_applications',
    of: 'business',
    since: 'created_at',
    days: 1827,
    why: 'As long as the records themselves: it says why there is none.',
  },
  {
    table: 'upload_pieces',
    of: 'business',
    // All pieces of an upload go together: one without its beginning would be no photo.
    since:
      '(select max(p.created_at) from upload_pieces p where p.business_id = upload_pieces.business_id and p.user_id = upload_pieces.user_id and p.upload_id = upload_pieces.upload_id)',
    days: uploadDays,
    why: 'Longer than a crew is without a signal; then the whole upload goes at once, and its phone, which still has all of it, begins again.',
  },
  {
    table: 'chat_messages',
    of: 'business',
    since: 'created_at',
    days: chatDays,
    why: 'Questions about hours and wages can come up for three years.',
  },
  {
    table: 'chat_reads',
    of: 'business',
    since: 'read_at',
    days: chatDays,
    why: 'Says who read a message, as long as the message is there.',
  },
  {
    table: 'person_documents',
    of: 'business',
    since: 'removed_at',
    days: documentKeptDays,
    why: 'For a month a document that was taken off can be brought back; what it shows goes with it.',
  },
  {
    table: 'positions',
    of: 'business',
    since: 'at',
    days: positionDays,
    why: 'Answers where somebody was last week; longer it would be a movement profile.',
  },
  {
    table: 'push_sends',
    of: 'business',
    since: 'created_at',
    days: sendDays,
    why: 'Tells whether a device was told already; what is older is not sent any more.',
  },
  {
    table: 'push_devices',
    of: 'business',
    since: 'seen_at',
    days: deviceDays,
    why: 'A device that nobody opened for a season is not told any more.',
  },
  {
    table: 'mail_troubles',
    of: 'business',
    since: 'day',
    days: troubleWithinDays,
    why: 'Three days in two weeks shut an address; what is older counts no more.',
  },
  {
    table: 'webhook_events',
    of: 'nobody',
    since: 'received_at',
    days: 60,
    only: 'processed_at is not null',
    why: 'Holds texts and mail; providers repeat an event for days, not months.',
  },
  { table: 'webhook_events', of: 'nobody', since: 'received_at', days: 180, why: 'Nobody could work it off.' },
  {
    table: 'public_tokens',
    of: 'nobody',
    since: 'coalesce(revoked_at, expires_at)',
    days: 30,
    why: 'For a month a link says that it is over; a link without an end stays.',
  },
  { table: 'used_tokens', of: 'nobody', since: 'expires_at', days: 1, why: 'What is over is refused anyway.' },
  { table: 'rate_limits', of: 'nobody', since: 'window_started_at', days: 2, why: 'No window is longer than a day.' },
  {
    table: 'page_views',
    of: 'prospects',
    since: 'at',
    days: pageViewDays,
    why: 'A year can be compared with the last.',
  },
  {
    table: 'idempotency_keys',
    of: 'prospects',
    since: 'created_at',
    days: 2,
    why: 'A visitor or the product owner repeats a key within minutes.',
  },
  {
    table: 'tokens',
    of: 'prospects',
    since: 'coalesce(revoked_at, expires_at)',
    days: 30,
    why: 'For a month a link says that it is over; a link without an end stays.',
  },
]
