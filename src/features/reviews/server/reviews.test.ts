import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock } from '../../../platform/clock.ts'
import { stranger } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aReviewingBusiness, at, hours, look, noon, reviewing, send, somebodyWaits } from '../../../test/reviews.ts'
import { customersApi } from '../../customers/contract.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { publicReviewsApi, reviewSettingsApi, reviewsApi } from '../contract.ts'

let business: TestBusiness
let slug: string
const { settle, asked } = reviewing(() => business)
const onPage = (cursor?: string) =>
  stranger.ok(publicReviewsApi.list, { params: { slug }, query: cursor ? { cursor } : {} })
const reviews = async (show: 'all' | 'low' | 'hidden' | 'private' | 'unanswered' = 'all') =>
  (await business.api.ok(reviewsApi.list, { query: { show } })).items
const theReview = async () => {
  const [review] = await reviews()
  if (!review) throw new Error('no review')
  return review
}

beforeEach(async () => {
  ;({ business, slug } = await aReviewingBusiness())
})
afterEach(resetClock)

describe('the page', () => {
  it('of a forged or an old link takes nothing', async () => {
    const forged = `/review/${'x'.repeat(43)}`
    expect([(await look(forged)).status, (await send(forged, { stars: '5', where: 'page' })).status]).toEqual([
      404, 404,
    ])
    const { path } = await asked()
    at(noon + hours(24 * 31))
    expect((await look(path)).text).toContain('This link takes no answer any more.')
    expect((await send(path, { stars: '5', where: 'page' })).status).toBe(409)
    at(noon)
    expect(await reviews()).toEqual([])
  })

  it('keeps what was typed where something is missing, in English and Spanish, without a script', async () => {
    const { path } = await asked()
    const { text, headers } = await look(path)
    expect(text).not.toContain('<script')
    expect([headers['x-robots-tag'], headers['cache-control']]).toEqual(['noindex', 'no-store'])
    for (const fields of [
      { words: 'Neat edges <b>', where: 'page' },
      { words: 'Neat edges <b>', stars: '9', where: 'page' },
      { words: 'Neat edges <b>', stars: '4' },
    ] as Record<string, string>[]) {
      const answer = await send(path, fields)
      expect([answer.status, answer.text.includes('Neat edges &lt;b&gt;')]).toEqual([422, true])
    }
    expect((await send(path, { stars: '4', where: 'page', words: 'x'.repeat(2001) })).status).toBe(422)
    expect((await send(path, { lang: 'es' })).text).toContain('Elija sus estrellas.')
    expect(await reviews()).toEqual([])
  })

  it('takes one answer: pressed twice at once it is one, told once', async () => {
    const { path } = await asked()
    const fields = { stars: '5', words: 'Neat edges.\r\nKind crew.', where: 'page' }
    const answers = await Promise.all([send(path, fields), send(path, fields), send(path, fields)])
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    const { items, average, count } = await onPage()
    expect([average, count]).toEqual([5, 1])
    expect(items).toMatchObject([{ author: 'Rosa M.', city: 'Savannah', stars: 5, words: 'Neat edges.\nKind crew.' }])
    expect(JSON.stringify(items)).not.toContain('Marsh')
    const told = await business.db((db) =>
      db.selectFrom('notifications').select('title').where('businessId', '=', business.id).execute(),
    )
    expect(told.map(({ title }) => title)).toEqual(['Rosa Marsh gave 5 stars'])
  })

  it('takes another mind for some days: stars, words, and who may read it', async () => {
    const { path } = await asked()
    await send(path, { stars: '5', words: 'Great', where: 'page' })
    await send(path, { stars: '2', words: 'They left ruts', where: 'page' })
    expect(await onPage()).toMatchObject({ average: 2, count: 1, counts: [0, 1, 0, 0, 0] })
    await send(path, { stars: '2', words: 'They left ruts', where: 'them' })
    expect(await onPage()).toMatchObject({ average: null, count: 0, items: [] })
    expect((await look(path)).text).toContain('Nobody else reads it.')
    at(noon + hours(24 * 15))
    expect((await send(path, { stars: '5', words: 'Fine', where: 'page' })).status).toBe(409)
    at(noon)
    expect((await theReview()).stars).toBe(2)
  })

  it('leads everybody to Google, whatever their stars', async () => {
    await settle({ googleUrl: 'https://g.page/r/marsh/review' })
    const one = await asked()
    const two = await asked()
    await send(one.path, { stars: '1', where: 'page' })
    await send(two.path, { stars: '5', where: 'page' })
    for (const { path } of [one, two]) expect((await look(path)).text).toContain('https://g.page/r/marsh/review')
    const { version } = await business.api.ok(reviewSettingsApi.get, {})
    for (const googleUrl of ['javascript:alert(1)', 'http://g.page', 'https://'])
      expect((await business.api.call(reviewSettingsApi.save, { body: { version, googleUrl } })).status).toBe(422)
  })
})

describe('the office', () => {
  const low = async () => {
    const { path } = await asked()
    await send(path, { stars: '2', words: 'They left ruts', where: 'page' })
    return { path, review: await theReview() }
  }
  const needs = async () => (await business.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'review')

  it('has a low review before it at once, while it stands on the page; who replies once has taken care of it', async () => {
    const { review } = await low()
    expect((await onPage()).items).toHaveLength(1)
    expect(await needs()).toMatchObject([{ badge: '2 stars', title: '“They left ruts”' }])
    const body = { words: 'We are sorry, and come back on Monday.', version: review.version }
    const replied = await business.api.ok(reviewsApi.reply, { params: { id: review.id }, body })
    expect(replied).toMatchObject({ reply: body.words, can: { reply: false, hide: true } })
    expect(await needs()).toEqual([])
    const again = await business.api.call(reviewsApi.reply, {
      params: { id: review.id },
      body: { words: 'And another', version: replied.version },
    })
    expect(again.status).toBe(409)
    expect((await onPage()).items).toMatchObject([{ reply: body.words }])
  })

  it('marks a low one as taken care of; it comes back when the customer says it otherwise', async () => {
    const { review, path } = await low()
    await business.api.ok(reviewsApi.handle, { params: { id: review.id }, body: { version: review.version } })
    expect(await needs()).toEqual([])
    await send(path, { stars: '1', words: 'Nobody came back', where: 'page' })
    expect(await needs()).toHaveLength(1)
  })

  it('hides one only for a stated reason, which is kept and told to its customer, and shows it again', async () => {
    const { review, path } = await low()
    const params = { id: review.id }
    const hide = (body: object) => business.api.call(reviewsApi.hide, { params, body: body as never })
    for (const body of [
      { version: review.version },
      { reason: 'low', note: 'Few stars hurt', version: review.version },
      { reason: 'abuse', note: ' ', version: review.version },
    ])
      expect((await hide(body)).status).toBe(422)
    const admin = await aPerson(business.id, 'Admin')
    const body = { reason: 'personal_data' as const, note: 'Names our crew lead', version: review.version }
    expect((await admin.api.call(reviewsApi.hide, { params, body })).status).toBe(403)
    const hidden = (await hide(body)).body
    expect(hidden).toMatchObject({ hiddenReason: 'personal_data', hiddenNote: 'Names our crew lead' })
    expect(await onPage()).toMatchObject({ count: 0, average: null, items: [] })
    expect((await look(path)).text).toContain('personal data, such as an address')
    expect(await reviews('hidden')).toHaveLength(1)
    await business.api.ok(reviewsApi.show, { params, body: { version: hidden.version } })
    expect(await onPage()).toMatchObject({ count: 1, average: 2 })
  })

  it('filters, and sees nothing of another business; an address without a page tells nothing', async () => {
    const { review } = await low()
    const other = await asked()
    await send(other.path, { stars: '5', where: 'them' })
    const show = async (filter: Parameters<typeof reviews>[0]) => (await reviews(filter)).map(({ stars }) => stars)
    expect(await show('all')).toEqual([5, 2])
    expect(await show('low')).toEqual([2])
    expect(await show('private')).toEqual([5])
    expect(await show('unanswered')).toEqual([2])
    expect(await business.api.ok(reviewsApi.summary, {})).toMatchObject({ askedCount: 2, answeredCount: 2, count: 1 })
    const foreign = await aBusiness()
    const call = (endpoint: typeof reviewsApi.show) =>
      foreign.api.call(endpoint, { params: { id: review.id }, body: { version: review.version } })
    expect((await call(reviewsApi.handle as never)).status).toBe(404)
    expect((await call(reviewsApi.show)).status).toBe(404)
    expect((await foreign.api.ok(reviewsApi.list, { query: {} })).items).toEqual([])
    await business.db((db) =>
      db.updateTable('businesses').set({ publicPage: false }).where('businessId', '=', business.id).execute(),
    )
    expect((await stranger.call(publicReviewsApi.list, { params: { slug }, query: {} })).status).toBe(404)
  })

  it('the page counts what stands on it, page by page, and cuts the average', async () => {
    for (let n = 0; n < 10; n++) {
      const { path } = await asked()
      await send(path, { stars: n === 0 ? '4' : '5', words: `Review ${n}`, where: 'page' })
    }
    const first = await onPage()
    expect([first.count, first.average, first.items.length]).toEqual([10, 4.9, 8])
    const rest = await onPage(first.nextCursor ?? '')
    expect([rest.items.map(({ words }) => words), rest.nextCursor]).toEqual([['Review 1', 'Review 0'], null])
    const rows = await business.db((db) =>
      db.selectFrom('reviews').select('stars').where('businessId', '=', business.id).execute(),
    )
    expect(first.counts).toEqual([1, 2, 3, 4, 5].map((of) => rows.filter(({ stars }) => stars === of).length))
  })

  it('goes with its customer when two records become one', async () => {
    const { path, customerId } = await asked()
    await send(path, { stars: '3', where: 'page' })
    const kept = await business.api.ok(customersApi.create, { body: { name: 'Rosa Marsh', allowDuplicate: true } })
    expect((await theReview()).customerId).toBe(customerId)
    const { mergesApi } = await import('../../merges/contract.ts')
    const { version } = await business.api.ok(customersApi.get, { params: { id: customerId } })
    await business.api.ok(mergesApi.merge, {
      params: { id: kept.id },
      body: { goneId: customerId, version: kept.version, goneVersion: version },
    })
    expect((await theReview()).customerId).toBe(kept.id)
  })

  it('an answer that is changed while it is being hidden is not counted on the page', async () => {
    const { review, path } = await low()
    let answered: Promise<{ status: number }> = Promise.resolve({ status: 0 })
    await business.db(async (db) => {
      await db
        .updateTable('reviews')
        .set({ hiddenAt: clock.iso(), hiddenReason: 'abuse' })
        .where('businessId', '=', business.id)
        .where('id', '=', review.id)
        .execute()
      await db
        .updateTable('reviewTotals')
        .set({ count: 0 })
        .where('businessId', '=', business.id)
        .where('stars', '=', 2)
        .execute()
      answered = send(path, { stars: '4', words: 'Better now', where: 'page' })
      await somebodyWaits(db)
    })
    expect((await answered).status).toBe(303)
    expect(await onPage()).toMatchObject({ count: 0, counts: [0, 0, 0, 0, 0], items: [] })
  })

  it('a review outlives its visit, where it was', async () => {
    const { review, path } = await low()
    await business.db((db) =>
      db
        .deleteFrom('visits')
        .where('businessId', '=', business.id)
        .where('id', '=', review.visitId ?? '')
        .execute(),
    )
    expect(await theReview()).toMatchObject({ id: review.id, visitId: null, jobId: null, words: 'They left ruts' })
    expect(await needs()).toHaveLength(1)
    expect(await onPage()).toMatchObject({ count: 1, items: [{ city: 'Savannah' }] })
    await send(path, { stars: '4', words: 'They came back', where: 'page' })
    expect(await onPage()).toMatchObject({ count: 1, items: [{ city: 'Savannah', stars: 4 }] })
    expect((await look(path)).status).toBe(200)
  })

  it('looks again at a hidden one whose customer changed it: it stays hidden, or is shown', async () => {
    const { review, path } = await low()
    const params = { id: review.id }
    const hide = (version: number) =>
      business.api.ok(reviewsApi.hide, {
        params,
        body: { reason: 'personal_data', note: 'Names our crew lead', version },
      })
    const { version } = await hide(review.version)
    expect((await business.api.call(reviewsApi.keepHidden, { params, body: { version } })).status).toBe(409)
    expect((await look(path)).text).toContain('we look at it again')
    await send(path, { stars: '2', words: 'Ruts by the driveway', where: 'page' })
    expect((await look(path)).text).toContain('You changed it since. We look at it again.')
    expect(await needs()).toMatchObject([
      { badge: 'Hidden', detail: expect.stringContaining('changed since you hid it') },
    ])
    const changed = await theReview()
    expect(changed.can).toMatchObject({ keepHidden: true, show: true })
    const kept = await business.api.ok(reviewsApi.keepHidden, { params, body: { version: changed.version } })
    expect(kept).toMatchObject({ hiddenReason: 'personal_data', can: { keepHidden: false } })
    await business.api.ok(reviewsApi.handle, { params, body: { version: kept.version } })
    expect(await needs()).toEqual([])
    // who may read it alone changes nothing that was hidden
    await send(path, { stars: '2', words: 'Ruts by the driveway', where: 'them' })
    expect((await theReview()).can.keepHidden).toBe(false)
    await send(path, { stars: '3', words: 'Ruts by the driveway', where: 'page' })
    await business.api.ok(reviewsApi.show, { params, body: { version: (await theReview()).version } })
    expect(await onPage()).toMatchObject({ count: 1, average: 3 })
  })

  it('changes its reply and takes it back; one that is older than the words says so', async () => {
    const { review, path } = await low()
    const params = { id: review.id }
    const reply = { words: 'We are sorry about the ruts.', version: review.version }
    const replied = await business.api.ok(reviewsApi.reply, { params, body: reply })
    expect((await onPage()).items).toMatchObject([{ repliedBefore: false }])
    at(noon + 1000)
    await send(path, { stars: '5', words: 'All good now', where: 'page' })
    expect((await onPage()).items).toMatchObject([{ reply: reply.words, repliedBefore: true }])
    expect((await look(path)).text).toContain('Written before you changed your review.')
    const { version } = await theReview()
    expect(version).toBeGreaterThan(replied.version)
    at(noon + 2000)
    const edited = await business.api.ok(reviewsApi.editReply, { params, body: { words: 'Thank you!', version } })
    expect((await onPage()).items).toMatchObject([{ reply: 'Thank you!', repliedBefore: false }])
    await business.api.ok(reviewsApi.withdrawReply, { params, body: { version: edited.version } })
    expect((await onPage()).items).toMatchObject([{ reply: '', replyDay: null }])
    expect((await theReview()).can).toMatchObject({ reply: true, editReply: false, withdrawReply: false })
    const kept = await business.db((db) =>
      db
        .selectFrom('auditLog')
        .select('before')
        .where('businessId', '=', business.id)
        .where('action', '=', 'review.withdrawReply')
        .executeTakeFirstOrThrow(),
    )
    expect(kept.before).toMatchObject({ reply: 'Thank you!' })
  })

  it('has one line in the bell for a review, however often it is changed, and a link is pressed so often and no more', async () => {
    const { path, review } = await low()
    const statuses: number[] = []
    for (let n = 0; n < 14; n++)
      statuses.push((await send(path, { stars: '1', words: `Ruts ${n}`, where: 'page' })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([303, 429])
    const bell = () =>
      business.db((db) =>
        db.selectFrom('notifications').select(['title', 'readAt']).where('businessId', '=', business.id).execute(),
      )
    expect(await bell()).toEqual([{ title: 'Rosa Marsh changed their review to 1 star', readAt: null }])
    await business.api.ok(reviewsApi.handle, {
      params: { id: review.id },
      body: { version: (await theReview()).version },
    })
    expect((await bell()).map(({ readAt }) => readAt !== null)).toEqual([true])
  })

  it('takes words with what no keyboard writes, without it; a name is told as it is now', async () => {
    const { path, customerId } = await asked({ name: 'Marsh, Rosa' })
    expect((await send(path, { stars: '4', words: 'Neat\u0000 edges\u0007', where: 'page' })).status).toBe(303)
    expect((await onPage()).items).toMatchObject([{ words: 'Neat edges', author: 'Rosa M.' }])
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ name: 'Rosa Oak' })
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute(),
    )
    await send(path, { stars: '5', words: 'Neat edges', where: 'page' })
    expect((await onPage()).items).toMatchObject([{ author: 'Rosa O.' }])
  })

  it('whoever tries many links is slowed down before any is looked up', async () => {
    const forged = `/review/${'y'.repeat(43)}`
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) statuses.push((await send(forged, { stars: '5', where: 'page' })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429])
  })
})
