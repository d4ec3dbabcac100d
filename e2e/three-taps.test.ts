import { expect, test } from 'vitest'
import { jobsApi } from '../src/features/jobs/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { dayOf, weekdayOf } from '../src/shared/dates.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** A job for a customer who is known: what they had last stands in the form, and three taps book it. */

const { openPage } = withBrowser({ afresh: 'file' })

const aCustomerOfLastYear = async () => {
  const fresh = await aNewBusiness()
  const { business, owner, timeZone } = fresh
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  const beds = items.find((service) => service.code === 'bed-weeding')?.id ?? ''
  const [customerId, propertyId] = [newId(), newId()]
  const today = dayOf(clock.now(), timeZone)
  await business.db(async (db) => {
    await db.insertInto('customers').values({ businessId: business.id, id: customerId, name: 'Ann Odom' }).execute()
    const place = { street: '1 Oak St', city: 'Savannah', lawnSquareFeet: 8000 }
    await db
      .insertInto('properties')
      .values({ businessId: business.id, id: propertyId, customerId, ...place })
      .execute()
  })
  const recurrence = { freq: 'week', interval: 2, weekdays: [weekdayOf(today)], phaseOn: today, holiday: 'next' }
  const { id } = await business.api.ok(jobsApi.create, {
    body: { propertyId, startOn: today, lines: [{ serviceId: beds, recurrence, unitPriceCents: 6400 }] } as never,
  })
  await business.api.ok(jobsApi.act, { params: { id, verb: 'complete' }, body: {} })
  const booked = async () =>
    (await business.api.ok(jobsApi.list, { query: { customerId } })).items.map((job) => [job.title, job.perVisitCents])
  return { customerId, booked, at: { as: owner, timezoneId: timeZone } }
}

test.each(widths(390))('at %i pixels, from the customer: two taps', async (width) => {
  const { customerId, booked, at } = await aCustomerOfLastYear()
  const { page } = await openPage({ ...at, width, path: `/customers?tab=manage&customerId=${customerId}` })
  let taps = 0
  const tap = async (name: RegExp | string) => {
    taps += 1
    await page.getByRole('link', { name }).or(page.getByRole('button', { name })).first().click()
  }
  await tap(/^(Book a job|Book|New job|Create a job)/)
  await page.getByText('As in J-1').waitFor()
  await expectAccessible(page)
  await tap('Create job for Ann Odom')
  await expect.poll(booked).toEqual([[expect.stringMatching(/bed/i), 6400]])
  expect(taps).toBeLessThanOrEqual(3)
})

test('from the list of jobs it is three taps and the name', async () => {
  const { booked, at } = await aCustomerOfLastYear()
  const { page } = await openPage({ ...at, path: '/jobs?tab=manage' })
  await page
    .getByRole('link', { name: /Create a job/ })
    .first()
    .click()
  await page.getByLabel('Customer and property').fill('Odom')
  await page.getByRole('option', { name: /Ann Odom/ }).click()
  await page.getByText('As in J-1').waitFor()
  await page.getByRole('button', { name: 'Create job for Ann Odom' }).click()
  await expect.poll(booked).toHaveLength(1)
})
