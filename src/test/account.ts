import { asBusinessId, withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { stranger } from './api.ts'
import type { TestBusiness } from './factories.ts'

/** What the outbox holds for an address, oldest first. */
export const mailsTo = (businessId: string, address: string) =>
  withTenant({ businessId: asBusinessId(businessId) }, (db) =>
    db
      .selectFrom('messages')
      .select(['id', 'subject', 'bodyText', 'bodyHtml', 'purpose', 'fromName', 'status', 'userId', 'customerId'])
      .where('businessId', '=', businessId)
      .where('address', '=', address)
      .orderBy('id')
      .execute(),
  )

/** The token in the newest mail with this subject. */
export const tokenIn = async (businessId: string, address: string, subject: string): Promise<string> => {
  const mail = (await mailsTo(businessId, address)).filter((m) => m.subject === subject).at(-1)
  const token = /[?&]token=([\w-]+)/.exec(mail?.bodyText ?? '')?.[1]
  if (!token) throw new Error(`No "${subject}" mail with a link went to ${address}`)
  return token
}

/** A caller from an address of its own, so that limits by address of one test do not reach another. */
export const fromAddress = () => {
  const bytes = newId().replaceAll('-', '').slice(-6)
  const remoteAddress = `10.${Number.parseInt(bytes.slice(0, 2), 16)}.${Number.parseInt(bytes.slice(2, 4), 16)}.${Number.parseInt(bytes.slice(4, 6), 16)}`
  const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
    stranger.raw({ method: 'POST', url, payload: payload as object, headers, remoteAddress })
  return Object.assign(post, { ip: remoteAddress })
}

/** Sessions and person as rows, to see that something changed nothing. */
export const accountState = (business: TestBusiness, userId: string) =>
  business.db(async (db) => ({
    user: await db
      .selectFrom('users')
      .select(['email', 'emailVerifiedAt', 'passwordHash', 'name', 'role', 'tokenVersion'])
      .where('businessId', '=', business.id)
      .where('id', '=', userId)
      .executeTakeFirstOrThrow(),
    sessions: await db
      .selectFrom('sessions')
      .select(['id', 'usedAt', 'revokedAt', 'successorId'])
      .where('businessId', '=', business.id)
      .where('userId', '=', userId)
      .orderBy('id')
      .execute(),
  }))
