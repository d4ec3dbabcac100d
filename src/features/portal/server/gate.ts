import type { FastifyReply, FastifyRequest } from 'fastify'
import { config } from '../../../platform/config.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { AppError } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { chooseHtml, goneHtml, signInHtml, stoppedHtml } from '../pages/server/door.ts'
import { at, textsOf, type View } from '../pages/server/frame.ts'
import { noteUse } from './commands.ts'
import {
  type Door,
  findDoor,
  type Language,
  listPeople,
  type Person,
  readPortalSession,
  type Session,
} from './queries.ts'
import type { Rights } from './rights.ts'

export const cookieName = 'swath_portal'
export const cookieOf = (request: FastifyRequest): string | undefined => request.cookies[cookieName]
export const cookieAt = (door: Door) =>
  ({ path: paths.portal(door.slug), httpOnly: true, secure: config.production, sameSite: 'lax' }) as const

/** Answers with a page that nobody else keeps. */
export const send = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(html)

type Query = {
  lang?: string | undefined
  done?: string | undefined
  cursor?: string | undefined
  to?: string | undefined
  re?: string | undefined
}
export type Asked = { params: { name: string }; request: FastifyRequest; reply: FastifyReply; query?: Query }

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** A language from the address, else what the browser prefers. */
const languageFor = ({ query, request }: Pick<Asked, 'query' | 'request'>): Language =>
  query?.lang === 'es' || query?.lang === 'en'
    ? query.lang
    : /^\s*es\b/i.test(request.headers['accept-language'] ?? '')
      ? 'es'
      : 'en'

/** A form of somebody else's page changes nothing here; who is no browser does not say where it comes from. */
export const fromElsewhere = (request: FastifyRequest): boolean => request.headers['sec-fetch-site'] === 'cross-site'

/** A page for who is not signed in. */
export const outside = (door: Door, call: Pick<Asked, 'query' | 'request'>, more: Partial<View> = {}): View => ({
  door,
  language: languageFor(call),
  session: null,
  ...more,
})

export type Inside = { door: Door; session: Session; person: Person; view: View }

const saids = {
  skip: 'saidSkip',
  unskip: 'saidUnskip',
  card: 'saidRemoved',
  autopayOff: 'saidAutopayOff',
  autopayOn: 'saidAutopayOn',
  pause: 'saidPause',
  resume: 'saidResume',
  ask: 'saidAsk',
  write: 'saidWrite',
  save: 'saidSave',
  address: 'saidAddress',
} as const

const saidOf = (view: View, done: string | undefined): string | undefined => {
  const key = done === undefined ? undefined : saids[done as keyof typeof saids]
  return key && textsOf(view)[key]
}

/** Opens a page for who is signed in; everybody else gets the page that says what to do. */
export const inside = async (call: Asked, work: (who: Inside) => Promise<FastifyReply>): Promise<FastifyReply> => {
  const { params, request, reply, query } = call
  const door = await findDoor(params.name)
  if (!door) return send(reply.code(404), goneHtml())
  // an older address of the business: the cookie belongs to the one it has now
  if (request.method === 'GET' && params.name !== door.slug)
    return reply.redirect(request.url.replace(/^\/portal\/[^/?]+/, at(door)), 302)
  if (door.closed) return send(reply.code(410), stoppedHtml(outside(door, call), 'closed'))
  if (!door.rules.enabled) return send(reply.code(403), stoppedHtml(outside(door, call), 'off'))
  const state = await withTenant(door, (db) => readPortalSession(db, cookieOf(request)))
  if (state.kind === 'archived') return send(reply.code(403), stoppedHtml(outside(door, call), 'archived'))
  if (state.kind !== 'in') {
    const view = outside(door, call)
    const t = textsOf(view)
    const lead = state.kind === 'over' ? { lead: { title: t.over, text: t.overText } } : {}
    return send(reply.code(request.method === 'GET' ? 200 : 401), signInHtml(view, lead))
  }
  const { session } = state
  const language = session.language ?? session.person?.language ?? languageFor(call)
  const view: View = { door, language, session }
  if (request.method !== 'GET' && fromElsewhere(request)) return send(reply.code(403), stoppedHtml(view, 'elsewhere'))
  if (!session.person || query?.to === 'choose') {
    const people = await withTenant(door, (db) => listPeople(db, session))
    if (people.length > 0 && (people.length > 1 || !session.person))
      return send(reply, chooseHtml(view, session.address, people))
    if (!session.person) return send(reply.code(403), stoppedHtml(view, 'nobody'))
  }
  const { person } = session
  if (request.method !== 'GET') await countUse(`portal:${session.id}`, 120, 600)
  await withTenant(door, (db) => noteUse(db, session.id))
  return work({ door, session, person, view: { ...view, said: saidOf(view, query?.done) } })
}

/** The page that a deed belongs to, with what was wrong. */
export type Again = (who: Inside, problem: string) => Promise<string>

/** Does what a form asks for and leads on; a refusal is said on the page it came from, which shows how things stand now. */
export const deed = (
  call: Asked,
  right: keyof Rights | null,
  to: (who: Inside) => string,
  again: Again,
  work: (who: Inside) => Promise<unknown>,
): Promise<FastifyReply> =>
  inside(call, async (who) => {
    try {
      if (right !== null && !who.person.rights[right]) throw new AppError('forbidden', textsOf(who.view).notAllowed)
      await work(who)
      return call.reply.redirect(at(who.door, to(who)), 303)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const problem =
        error.code === 'not_found' || error.code === 'validation_failed' ? textsOf(who.view).failed : error.message
      return send(call.reply.code(error.status), await again(who, problem))
    }
  })
