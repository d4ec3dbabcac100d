import { config } from '../config.ts'
import { hmacTokens } from '../keys.ts'

/** What an address of ours that a mail comes back to is for: an answer, or the report that it did not arrive. */
export type ReturnKind = 'reply' | 'bounce'

const signatureHex = 20

const signatures = (kind: ReturnKind, id: string): string[] =>
  hmacTokens('link', `mail-${kind}:${id}`).map((token) =>
    Buffer.from(token, 'base64url').toString('hex').slice(0, signatureHex),
  )

/** The domain of return addresses: the one that is set, on one's own computer an invented one that the local outbox knows. */
const inboundDomain = (): string | null => config.mailInboundDomain ?? (config.production ? null : 'in.swath.example')

/** `reply+<message>.<signature>@…`: names the message it answers, and nobody else can make one. Null when no mail reaches us. */
export const returnAddress = (kind: ReturnKind, messageId: string): string | null => {
  const domain = inboundDomain()
  const id = messageId.replaceAll('-', '').toLowerCase()
  return domain ? `${kind}+${id}.${signatures(kind, id)[0]}@${domain}` : null
}

/** What a return address names, or null when we did not make it. Some servers change the case on the way. */
export const readReturnAddress = (address: string): { kind: ReturnKind; messageId: string } | null => {
  const found = /^(reply|bounce)\+([0-9a-f]{32})\.([0-9a-f]{20})@/.exec(address.trim().toLowerCase())
  if (!found) return null
  const [, kind, id = '', signature = ''] = found
  if (!signatures(kind as ReturnKind, id).includes(signature)) return null
  return { kind: kind as ReturnKind, messageId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') }
}
