import { expect } from 'vitest'
import { addDays } from '../shared/dates.ts'
import { runTasks, stranger } from './api.ts'
import type { TestBusiness } from './factories.ts'
import { aVisit, today } from './field.ts'

/** A customer's browser at the portal. */

export const slugOf = (own: TestBusiness) =>
  own.db(
    async (db) =>
      (await db.selectFrom('businesses').select('slug').where('businessId', '=', own.id).executeTakeFirstOrThrow())
        .slug,
  )

type Page = { status: number; text: string; words: string; headers: Record<string, unknown> }
const wordsOf = (text: string) =>
  text
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

/** A browser: it keeps the one cookie and sends forms. */
export const browser = (cookie = '') => {
  const go = async (method: 'GET' | 'POST', url: string, form?: { type: string; payload: string | Buffer }) => {
    const answer = await stranger.raw({
      method,
      url,
      headers: { ...(cookie ? { cookie } : {}), ...(form ? { 'content-type': form.type } : {}) },
      ...(form ? { payload: form.payload } : {}),
    })
    const set = [answer.headers['set-cookie']].flat().find((one) => String(one).startsWith('swath_portal='))
    if (set) cookie = String(set).split(';')[0] ?? ''
    return { status: answer.status, text: answer.text, words: wordsOf(answer.text), headers: answer.headers } as Page
  }
  return {
    get: (url: string) => go('GET', url),
    file: (url: string) => stranger.raw({ method: 'GET', url, headers: { cookie } }),
    post: (url: string, fields: Record<string, string> = {}) =>
      go('POST', url, {
        type: 'application/x-www-form-urlencoded',
        payload: new URLSearchParams(fields).toString(),
      }),
    /** A form with photos, as a browser sends it. */
    postPhotos: (url: string, fields: Record<string, string>, photos: { name: string; bytes: Uint8Array }[]) => {
      const boundary = '----browser'
      const part = (about: string, content: Uint8Array | string) =>
        Buffer.concat([
          Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${about}\r\n\r\n`),
          Buffer.from(content),
          Buffer.from('\r\n'),
        ])
      const parts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value))
      for (const { name, bytes } of photos.length > 0 ? photos : [{ name: '', bytes: new Uint8Array() }]) {
        const type = '\r\nContent-Type: application/octet-stream'
        parts.push(part(`name="photos"; filename="${name.replaceAll('"', '%22')}"${type}`, bytes))
      }
      const payload = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
      return go('POST', url, { type: `multipart/form-data; boundary=${boundary}`, payload })
    },
    cookie: () => cookie,
  }
}

export const email = 'ann@test.swath.test'
export const giveMail = (own: TestBusiness, customerId: string, address: string | null = email, more: object = {}) =>
  own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: address, name: 'Ann Odom', ...more })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )

/** The links that left for an address, the newest first. */
export const linksTo = async (own: TestBusiness, address = email): Promise<string[]> => {
  await runTasks()
  const rows = await own.db((db) =>
    db
      .selectFrom('messages')
      .select(['bodyText', 'status'])
      .where('businessId', '=', own.id)
      .where('entityType', '=', 'portal')
      .where('address', '=', address)
      .orderBy('id', 'desc')
      .execute(),
  )
  return rows.map(({ bodyText }) => /\/portal\/[\w-]{43}/.exec(bodyText)?.[0] ?? '')
}

export const signIn = async (own: TestBusiness, address = email) => {
  const base = `/portal/${await slugOf(own)}`
  const window = browser()
  await window.post(`${base}/link`, { address })
  const [link] = await linksTo(own, address)
  const entered = await window.post(`${link}/enter`)
  expect([entered.status, entered.headers.location]).toEqual([303, base])
  return { ...window, base }
}

export const aCustomer = async (own: TestBusiness, more: Parameters<typeof aVisit>[1] = {}) => {
  const made = await aVisit(own, { day: addDays(today(), 7), ...more })
  await giveMail(own, made.customerId)
  return made
}
