import { config } from '../config.ts'
import { hmacTokens } from '../keys.ts'

/** What an address of ours that a mail comes back to is for: an answer, or the report that it did not arrive. */
export type ReturnKind = 'reply' | 'bounce'

/** The message a mail comes back to; `businessId` is null for the product owner's mail to a prospect. */
export type ReturnTarget = { kind: ReturnKind; messageId: string; businessId: string | null }

const signatureHex = 20
const letters: Record<ReturnKind, string> = { reply: 'r', bounce: 'b' }
/** Two ids of 256 bits in base 36, and a signature of 62 bits: with the letter 63 characters, and a local part may have 64. */
const idLength = 50
const shortSignature = 12

const plainId = (id: string): string => id.replaceAll('-', '').toLowerCase()
const dashed = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
const signed = (text: string): Buffer[] => hmacTokens('link', text).map((token) => Buffer.from(token, 'base64url'))

const prospectSignatures = (kind: ReturnKind, id: string): string[] =>
  signed(`mail-${kind}:${id}`).map((bytes) => bytes.toString('hex').slice(0, signatureHex))

const businessSignatures = (kind: ReturnKind, ids: string): string[] =>
  signed(`mail-${kind}-of:${ids}`).map((bytes) =>
    BigInt(`0x${bytes.toString('hex')}`)
      .toString(36)
      .padStart(shortSignature, '0')
      .slice(-shortSignature),
  )

/** The domain of return addresses: the one that is set, on one's own computer an invented one that the local outbox knows. */
const inboundDomain = (): string | null => config.mailInboundDomain ?? (config.production ? null : 'in.swath.example')

/** Whether an address is one that mail to us comes to. */
export const isOurDomain = (address: string): boolean => {
  const domain = inboundDomain()
  return domain !== null && address.toLowerCase().endsWith(`@${domain.toLowerCase()}`)
}

/**
 * The address that an answer to a mail, or the report that it came back, reaches us by. It names the message and its business, no case matters in it,
 * and nobody else can make one. Null when no mail reaches us.
 */
export const returnAddress = (kind: ReturnKind, messageId: string, businessId: string | null = null): string | null => {
  const domain = inboundDomain()
  if (!domain) return null
  const id = plainId(messageId)
  if (businessId === null) return `${kind}+${id}.${prospectSignatures(kind, id)[0]}@${domain}`
  const ids = BigInt(`0x${plainId(businessId)}${id}`)
    .toString(36)
    .padStart(idLength, '0')
  return `${letters[kind]}${ids}${businessSignatures(kind, ids)[0]}@${domain}`
}

const readBusinessAddress = (local: string): ReturnTarget | null => {
  const found = /^([rb])([0-9a-z]{50})([0-9a-z]{12})$/.exec(local)
  if (!found) return null
  const [, letter, ids = '', signature = ''] = found
  const kind = letter === letters.reply ? 'reply' : 'bounce'
  if (!businessSignatures(kind, ids).includes(signature)) return null
  const hex = [...ids]
    .reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
    .toString(16)
    .padStart(64, '0')
  return { kind, businessId: dashed(hex.slice(0, 32)), messageId: dashed(hex.slice(32)) }
}

/** What a return address names, or null when we did not make it. Some servers change the case on the way. */
export const readReturnAddress = (address: string): ReturnTarget | null => {
  const local = address.trim().toLowerCase().replace(/@.*$/, '')
  const found = /^(reply|bounce)\+([0-9a-f]{32})\.([0-9a-f]{20})$/.exec(local)
  if (!found) return readBusinessAddress(local)
  const [, kind, id = '', signature = ''] = found
  if (!prospectSignatures(kind as ReturnKind, id).includes(signature)) return null
  return { kind: kind as ReturnKind, messageId: dashed(id), businessId: null }
}

/** Where the feedback loops of mailbox providers are told to send their complaints; the mail in them says which of ours it is about. */
export const complaintsAddress = (): string | null => {
  const domain = inboundDomain()
  return domain && `complaints@${domain}`
}

const leadSignatures = (id: string): string[] =>
  signed(`mail-leads:${id}`).map((bytes) => bytes.toString('hex').slice(0, signatureHex))

/** The address that people who ask for a price write to, or that the business's own mailbox forwards to. Null when no mail reaches us. */
export const leadAddress = (businessId: string): string | null => {
  const domain = inboundDomain()
  if (!domain) return null
  const id = plainId(businessId)
  return `leads+${id}.${leadSignatures(id)[0]}@${domain}`
}

/** The business that such an address names, or null when it is none of ours. */
export const readLeadAddress = (address: string): string | null => {
  const local = address.trim().toLowerCase().replace(/@.*$/, '')
  const [, id = '', signature = ''] = /^leads\+([0-9a-f]{32})\.([0-9a-f]{20})$/.exec(local) ?? []
  return leadSignatures(id).includes(signature) ? dashed(id) : null
}

const voiceSignatures = (id: string): string[] =>
  signed(`voice:${id}`).map((bytes) => bytes.toString('hex').slice(0, signatureHex))

/** Names a business in the address that the provider of the phone calls; nobody else can make one. */
export const voiceToken = (businessId: string): string => {
  const id = plainId(businessId)
  return `${id}.${voiceSignatures(id)[0]}`
}

export const readVoiceToken = (token: string): string | null => {
  const [, id = '', signature = ''] = /^([0-9a-f]{32})\.([0-9a-f]{20})$/.exec(token.trim().toLowerCase()) ?? []
  return voiceSignatures(id).includes(signature) ? dashed(id) : null
}

/**
 * The address that a business mails its receipts to. It names the business, no case matters in it, and nobody else can make one. Null when no
 * mail reaches us.
 */
export const receiptAddress = (businessId: string): string | null => {
  const domain = inboundDomain()
  if (!domain) return null
  const id = plainId(businessId)
  return `receipts+${id}.${receiptSignatures(id)[0]}@${domain}`
}

const receiptSignatures = (id: string): string[] =>
  signed(`mail-receipts:${id}`).map((bytes) => bytes.toString('hex').slice(0, signatureHex))

/** The business that a receipt address names, or null when it is none of ours. */
export const readReceiptAddress = (address: string): string | null => {
  const local = address.trim().toLowerCase().replace(/@.*$/, '')
  const [, id = '', signature = ''] = /^receipts\+([0-9a-f]{32})\.([0-9a-f]{20})$/.exec(local) ?? []
  return receiptSignatures(id).includes(signature) ? dashed(id) : null
}
