import { expect, test } from 'vitest'
import { openLine } from '../scripts/web/line.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { clock } from '../src/platform/clock.ts'
import type { Person, TestBusiness } from '../src/test/factories.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { password, step } from './fixtures.ts'
import { aCrewDay, cancelVisit, commandsAt, crewHands } from './fixtures-day.ts'

const { openPage } = withBrowser({ afresh: 'file' })
const streets = ['7 Bay St', '45 Wassaw Rd', '1513 Cathy St']

const aDay = () => aCrewDay({ streets })

const as = ({ email }: Person) => ({ email, password })
const statusOf = async (business: TestBusiness, visitId: string | undefined) =>
  (await business.api.ok(visitsApi.get, { params: { visitId: visitId ?? '' } })).status

const clockedIn = async (person: Person) => {
  const opened = await openPage({ width: 390, as: as(person), path: '/employee-dashboard' })
  await opened.page.getByRole('button', { name: 'Clock in' }).click()
  await opened.page.getByText('All sent').waitFor()
  const hands = crewHands(opened.page)
  await hands.isKept()
  return { ...opened, hands }
}

test('on a line that breaks, fails and crawls everything arrives once, in order, with its photo', async () => {
  const { business, visits, luis } = await aDay()
  const direct = await openPage({ width: 390, as: as(luis) })
  const line = await openLine(new URL((await direct.page.goto('/employee-dashboard'))?.url() ?? '').origin, 7)
  try {
    // the same person behind the bad line
    await direct.context.addCookies(
      (await direct.context.cookies()).map(({ name, value }) => ({ name, value, url: line.url })),
    )
    const { page } = direct
    await page.goto(`${line.url}/employee-dashboard`)
    const hands = crewHands(page)
    await page.getByRole('button', { name: 'Clock in' }).click()
    await hands.allSent()
    await hands.isKept()
    await step('the browser believes that it is online, and nothing gets through', async () => {
      line.be('cut')
      await page.reload()
      await hands.start()
      await hands.takePhoto('Photo before')
      await page.getByText('1 before, 0 after · 1 photo still on this phone').waitFor()
      await hands.finish('7 Bay St')
      await page.getByText(/on phone, no signal/).waitFor()
    })
    for (const [index, quality] of (['failing', 'flapping', 'slow'] as const).entries())
      await step(`a line that is ${quality}`, async () => {
        line.be(quality)
        if (index > 0) await hands.start()
        await page.evaluate(() => window.dispatchEvent(new Event('online')))
        if (quality === 'failing') await page.getByText(/on phone/).waitFor()
        else await hands.finish(streets[index] ?? '')
      })
    line.be('good')
    await page.reload()
    await hands.allSent()
    expect(await commandsAt(business, visits[0] ?? '')).toEqual(['finish', 'start'])
    for (const id of visits) {
      expect(await statusOf(business, id)).toBe('completed')
      expect(await commandsAt(business, id)).toEqual(['finish', 'start'])
    }
    const photos = await business.db((db) =>
      db.selectFrom('visitPhotos').select('visitId').where('businessId', '=', business.id).execute(),
    )
    expect(photos).toEqual([{ visitId: visits[0] }])
  } finally {
    await line.close()
  }
})

test('two of a crew finish the same stop without a signal: it is finished once, with the time of both kept', async () => {
  const { business, visits, luis, ana } = await aDay()
  const first = await clockedIn(luis)
  const second = await clockedIn(ana)
  await first.context.setOffline(true)
  await second.context.setOffline(true)
  for (const { hands } of [first, second]) {
    await hands.start()
    await hands.finish('7 Bay St')
  }
  await second.context.setOffline(false)
  await second.hands.allSent()
  await first.context.setOffline(false)
  await first.hands.allSent()
  expect(await statusOf(business, visits[0])).toBe('completed')
  expect(await commandsAt(business, visits[0] ?? '')).toEqual(['finish', 'finish', 'start', 'start'])
  expect((await business.api.ok(visitsApi.get, { params: { visitId: visits[0] ?? '' } })).finishedByName).toBe(
    'Ana Reyes',
  )
})

test('a phone whose clock is an hour off, and a full phone: the time is put right, and nothing is said to be kept that is not', async () => {
  const { business, visits, luis } = await aDay()
  const { page, context, hands } = await clockedIn(luis)
  await page.clock.setFixedTime(Date.now() + 3_600_000)
  await hands.start()
  await hands.allSent()
  const { startedAt } = await business.api.ok(visitsApi.get, { params: { visitId: visits[0] ?? '' } })
  expect(Math.abs(Date.parse(startedAt ?? '') - clock.nowMs())).toBeLessThan(120_000)
  await page.clock.setFixedTime(Date.now())
  await context.setOffline(true)
  await page.evaluate(() => {
    const full = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
    IDBObjectStore.prototype.add = full
  })
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('This phone could not write it down. Free some space, then try again.').waitFor()
  await page.getByText(/^On site/).waitFor()
  await page.evaluate(() => {
    navigator.storage.estimate = async () => ({ quota: 100, usage: 99 })
  })
  await hands.takePhoto('Photo before')
  await page.getByText('This phone is almost full. Free some space, then take the photo again.').waitFor()
})

test('work on a stop that was canceled is decided in the office, and the phone is rid of it with the words', async () => {
  const { business, visits, luis } = await aDay()
  const { page, context, hands } = await clockedIn(luis)
  await context.setOffline(true)
  await hands.start()
  await hands.finish('7 Bay St')
  await cancelVisit(business, visits[0])
  await context.setOffline(false)
  await page.getByText('2 need you').waitFor({ timeout: 60_000 })
  await business.db((db) =>
    db
      .updateTable('users')
      .set({ passwordHash: db.selectFrom('users').select('passwordHash').where('id', '=', luis.userId).limit(1) })
      .where('id', '=', business.owner.userId)
      .execute(),
  )
  const office = await openPage({ as: { email: business.owner.email, password }, path: '/dashboard' })
  await office.page.getByText('Luis finished 7 Bay St, but the office had canceled it').waitFor()
  await office.page.getByRole('button', { name: 'Decide', exact: true }).click()
  const dialog = office.page.getByRole('dialog')
  await dialog.getByLabel('Words to the crew').fill('Good that you did it')
  await expectAccessible(office.page)
  await dialog.getByRole('button', { name: 'Decide and tell the crew' }).click()
  await office.page.getByText('Decided. The crew reads it on the phone.').waitFor()
  expect(await statusOf(business, visits[0])).toBe('completed')
  await page.reload()
  await page.getByText('2 answers').click({ timeout: 60_000 })
  await page.getByText('decided: it counts. “Good that you did it”').first().waitFor()
  await expectAccessible(page)
  const seen = page.getByRole('button', { name: 'I have seen it' })
  await seen.first().click()
  await seen.nth(1).waitFor({ state: 'detached' })
  await seen.click()
  await page.getByText('Everything has reached the office.').waitFor()
})
