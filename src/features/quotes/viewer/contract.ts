import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

const Token = z.object({ token: z.string().max(100) })
const Fields = z.record(z.string().max(60), z.string().max(20_000))

const Look = z.object({
  /** Back from the payment page, and how often it was asked since whether the deposit came. */
  paid: z.coerce.number().int().min(0).max(99).optional().catch(undefined),
  /** The package and the options that are being looked at: `package` and `option` with the ids between commas. */
  package: z.string().max(40).optional().catch(undefined),
  options: z.string().max(4000).optional().catch(undefined),
  /** `1`: pays ahead. */
  prepay: z.string().max(1).optional().catch(undefined),
})

const page = (path: string) =>
  endpoint({
    method: 'GET',
    path,
    access: 'public',
    params: Token,
    query: Look,
    response: z.any(),
    summary: 'A quote as its customer reads it, as a page',
  })
const act = (path: string, summary: string) =>
  endpoint({
    method: 'POST',
    path,
    access: 'public',
    form: true,
    params: Token,
    body: Fields,
    response: z.any(),
    summary,
  })

/** What the link in a quote opens: pages of their own, whole without a script. */
export const quotePageApi = {
  page: page('/quote/:token'),
  /** The other address of the same page. */
  view: page('/quotes/view/:token'),
  seen: act('/quote/:token/seen', 'A person, not a scanner, has the page before them'),
  choose: act('/quote/:token/choose', 'What another package or option comes to; nothing is kept'),
  sign: act('/quote/:token/sign', 'The customer signs it as they see it, once'),
  ask: act('/quote/:token/changes', 'The customer asks for changes'),
  decline: act('/quote/:token/decline', 'The customer says no, and why'),
  pay: act('/quote/:token/pay', 'The hosted checkout for the deposit of a signed quote'),
  /** An address that a form was sent to, opened again from a restored tab or a bookmark. */
  again: endpoint({
    method: 'GET',
    path: '/quote/:token/:step',
    access: 'public',
    params: Token.extend({ step: z.string().max(20) }),
    response: z.any(),
    summary: 'Back to the quote from where one of its forms went',
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/quote/:token/pdf',
    access: 'public',
    params: Token,
    response: z.any(),
    summary: 'The quote on paper: as it was signed, else as it was sent',
  }),
}
