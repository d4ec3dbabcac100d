import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { clock } from './clock.ts'
import { config } from './config.ts'
import { database } from './db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb } from './db/tenant.ts'
import { hmacToken, isHmacToken } from './keys.ts'

/** What an unguessable public link leads to. */
export type LinkKind =
  | 'invoice'
  | 'unsubscribe'
  | 'portal'
  | 'account'
  | 'employee-invite'
  | 'calendar'
  | 'visit'
  | 'statement'
  | 'card'
  | 'extra'
  | 'quote'
  | 'review'

/** What is stored of a link's token, also where its uses are counted: who reads the database cannot open the link. */
export const linkHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/**
 * The token of a public link of a record: 256 bits, made again from the link key whenever the link is written, so only its hash is stored.
 * Writes nothing: it leads somewhere once `linkToken` registered it. Who may only look at the business gets none.
 */
export const linkTokenOf = (db: TenantDb, kind: LinkKind, entityId: string): string =>
  db.readOnly ? 'hidden' : hmacToken('link', `${kind}:${db.businessId}:${entityId}`)

/** Like `linkTokenOf`, and registers the token, so that the link opens; the second time changes nothing. */
export const linkToken = async (db: TenantDb, kind: LinkKind, entityId: string): Promise<string> => {
  await registerLinks(db, kind, [entityId])
  return linkTokenOf(db, kind, entityId)
}

/** Makes the links of many records open, in one statement. */
export const registerLinks = async (db: TenantDb, kind: LinkKind, entityIds: readonly string[]): Promise<void> => {
  if (db.readOnly || entityIds.length === 0) return
  const hashes = entityIds.map((id) => linkHash(linkTokenOf(db, kind, id)))
  await sql`
    insert into public_tokens (token_hash, business_id, kind, entity_id, created_at)
    select t.token_hash, ${db.businessId}::uuid, ${kind}::text, t.entity_id, ${clock.iso()}::timestamptz
    from unnest(${hashes}::text[], ${[...entityIds]}::uuid[]) as t(token_hash, entity_id)
    on conflict (token_hash) do nothing`.execute(db)
}

/** Takes a link back: it opens nothing any more, and nothing makes it open again. */
export const revokeLink = async (db: TenantDb, kind: LinkKind, entityId: string): Promise<void> => {
  await sql`update public_tokens set revoked_at = ${clock.iso()}::timestamptz
    where business_id = ${db.businessId}::uuid and kind = ${kind} and entity_id = ${entityId}::uuid and revoked_at is null`.execute(
    db,
  )
}

/** The way to the record behind a token, or null when it is unknown, expired or revoked. */
export const findLink = async (
  kind: LinkKind,
  token: string,
): Promise<{ businessId: BusinessId; entityId: string } | null> => {
  const row = await database()
    .selectFrom('publicTokens')
    .select(['businessId', 'entityId', 'expiresAt', 'revokedAt'])
    .where('tokenHash', '=', linkHash(token))
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (!row || row.revokedAt || (row.expiresAt && Date.parse(row.expiresAt) < clock.nowMs())) return null
  return { businessId: asBusinessId(row.businessId), entityId: row.entityId }
}

/** A path as a full address that a mail can carry. */
export const absoluteUrl = (path: string): string => `${config.publicUrl}${path}`

/** A file's address for img and download: signed for a span, without a session. */
export const signedFilePath = (businessId: string, fileId: string, validSeconds = 12 * 3600): string => {
  // Rounded up to the hour, so that a browser keeps its copy over reloads.
  const expires = Math.ceil((clock.nowMs() / 1000 + validSeconds) / 3600) * 3600
  return `/api/f/${businessId}/${fileId}/${expires}/${hmacToken('link', `file:${businessId}:${fileId}:${expires}`)}`
}

/** The address of what a prospect sent: it belongs to no business, and only the desk is told it. */
export const prospectFilePath = (fileId: string, validSeconds = 12 * 3600): string => {
  const expires = Math.ceil((clock.nowMs() / 1000 + validSeconds) / 3600) * 3600
  return `/api/leads/files/${fileId}/${expires}/${hmacToken('link', `prospect-file:${fileId}:${expires}`)}`
}

export const isSignedProspectFile = (fileId: string, expires: number, signature: string): boolean =>
  expires * 1000 > clock.nowMs() && isHmacToken('link', `prospect-file:${fileId}:${expires}`, signature)

/** The address of a small copy of a picture. */
export const smallFilePath = (businessId: string, fileId: string): string =>
  `${signedFilePath(businessId, fileId)}?small=1`

/** The address of a picture in the size that goes with a text, for whoever fetches it without a session. */
export const textFilePath = (businessId: string, fileId: string): string =>
  `${signedFilePath(businessId, fileId)}?text=1`

export const isSignedFile = (businessId: string, fileId: string, expires: number, signature: string): boolean =>
  expires * 1000 > clock.nowMs() && isHmacToken('link', `file:${businessId}:${fileId}:${expires}`, signature)

/** What a mail to a prospect tells us by being read. */
export type TrackingKind = 'open' | 'click'

/** A token that names a message (open) or one of its stored links (click), and that nobody else can make: it carries no address. */
export const trackingToken = (kind: TrackingKind, id: string): string =>
  `${id.replaceAll('-', '')}.${hmacToken('link', `track-${kind}:${id}`)}`

/** The id behind a token, or null when we did not sign it. */
export const readTrackingToken = (kind: TrackingKind, token: string): string | null => {
  const found = /^([0-9a-f]{32})\.([\w-]{43})$/.exec(token)
  if (!found) return null
  const id = (found[1] ?? '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isHmacToken('link', `track-${kind}:${id}`, found[2] ?? '') ? id : null
}

/** Who of which campaign is meant by a link or picture of its mail: by the ids of both. */
export type Reader = { businessId: BusinessId; campaignId: string; customerId: string }

const packed = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
const unpacked = (text: string): string =>
  Buffer.from(text, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const readerText = (kind: TrackingKind, { businessId, campaignId, customerId }: Reader, at: number): string =>
  `campaign-${kind}:${businessId}:${campaignId}:${customerId}:${at}`

/**
 * The way of a link (click) or the picture (open) of a campaign's mail, which nobody else can make. It carries no address: where a link leads
 * stands in the campaign.
 * @param at which link it is; 0 for the picture
 */
export const readerPath = (kind: TrackingKind, reader: Reader, at = 0): string =>
  `/${kind === 'open' ? 'o' : 'c'}/${packed(reader.businessId)}/${packed(reader.campaignId)}${packed(reader.customerId)}${at}.${hmacToken('link', readerText(kind, reader, at))}`

/** Who is meant by such a way, and by which link, or null where we did not sign it. */
export const readReader = (kind: TrackingKind, business: string, token: string): (Reader & { at: number }) | null => {
  const found = /^([\w-]{22})([\w-]{22})(\d{1,3})\.([\w-]{43})$/.exec(token)
  if (!found || !/^[\w-]{22}$/.test(business)) return null
  const [, campaign = '', customer = '', place = '', signature = ''] = found
  const reader = {
    businessId: asBusinessId(unpacked(business)),
    campaignId: unpacked(campaign),
    customerId: unpacked(customer),
  }
  return isHmacToken('link', readerText(kind, reader, Number(place)), signature)
    ? { ...reader, at: Number(place) }
    : null
}
