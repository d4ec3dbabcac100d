import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { config } from '../../../../platform/config.ts'
import { invalid } from '../../../../shared/errors.ts'
import { isPublicMailDomain } from '../rules.ts'

export type SenderAddress = { address: string; domain: string }

const says = (message: string) => invalid([{ path: 'address', message }])

const isWithin = (domain: string, other: string | undefined): boolean =>
  other !== undefined && (domain === other.toLowerCase() || domain.endsWith(`.${other.toLowerCase()}`))

/** Names that mail of this server itself goes by: nobody's own. */
const isOurs = (domain: string): boolean =>
  [config.mailFrom.split('@')[1], config.mailInboundDomain, new URL(config.publicUrl).hostname].some((one) =>
    isWithin(domain, one),
  )

/**
 * An address as mail and DNS write it: small letters, a domain with other letters than a to z as its `xn--` name (IDNA).
 * @throws AppError validation_failed in words for the field `address`
 */
export const readSenderAddress = (typed: string): SenderAddress => {
  const at = typed.lastIndexOf('@')
  const local = typed.slice(0, at).toLowerCase()
  const domain = domainToASCII(typed.slice(at + 1).replace(/\.$/, ''))
  const address = `${local}@${domain}`
  const isName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9-]{2,63}$/.test(domain)
  if (at < 1 || !isName || address.length > 254 || !z.email().safeParse(address).success)
    throw says('Write an address like office@greenlawn.com.')
  if (isPublicMailDomain(domain))
    throw says(
      `Anybody can have a mailbox at ${domain}, so nobody can prove that it is theirs. Use an address at a domain of your own, like office@greenlawn.com.`,
    )
  if (isOurs(domain)) throw says('This domain belongs to Swath. Use an address at a domain of your own.')
  return { address, domain }
}
