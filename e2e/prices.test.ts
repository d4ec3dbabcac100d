import { expect, test } from 'vitest'
import { jobsApi } from '../src/features/jobs/contract.ts'
import { pricesApi } from '../src/features/jobs/prices/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { visitsApi } from '../src/features/visits/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { addDays, dayOf, weekdayOf } from '../src/shared/dates.ts'
import { aPerson } from '../src/test/factories.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** A new price is carried to future visits after it was counted, and taken back; a raise names the largest change first. */

const { openPage } = withBrowser({ afresh: 'file' })

test('a price change over booked work, with its count and its undo', async () => {
  const { business, owner, timeZone } = await aNewBusiness()
  const today = dayOf(clock.now(), timeZone)
  const phaseOn = addDays(today, 1)
  const { api } = await aPerson(business.id, 'Admin')
  const { items: services } = await api.ok(servicesApi.addDefaults, {})
  const serviceId = services[0]?.id ?? ''
  const book = async (customer: string, street: string, unitPriceCents?: number) => {
    const { propertyId } = await aLawn(business, { customer, street })
    await business.db((db) =>
      db.updateTable('properties').set({ lawnSquareFeet: 10_000 }).where('id', '=', propertyId).execute(),
    )
    const weekdays = [weekdayOf(phaseOn)]
    const rule = { freq: 'week', interval: 1, holiday: 'next', phaseOn, weekdays, season: [], exceptions: [] } as const
    return api.ok(jobsApi.create, {
      body: {
        propertyId,
        startOn: today,
        lines: [{ serviceId, recurrence: { ...rule, season: [], exceptions: [] }, unitPriceCents }],
      },
    })
  }
  const booked = await book('Rebecca Odom', '132 Laurel Green Ct')
  await book('Marcus Pruitt of the Lower Marsh Side Homeowners Association', '14 Cathy St', 7000)
  const prices = async (jobId: string) => {
    const { items } = await api.ok(visitsApi.list, { query: { jobId, limit: '100' } })
    return [...new Set(items.map((visit) => visit.priceCents))]
  }
  const { page } = await openPage({
    as: owner,
    timezoneId: timeZone,
    path: `/jobs?tab=services&serviceId=${serviceId}`,
  })
  await step('the price asks what becomes of booked work, and counts first', async () => {
    await page.getByRole('textbox', { name: 'Smallest price', exact: true }).fill('50')
    await page.getByRole('button', { name: 'Save service' }).click()
    await page.getByText('1 job', { exact: true }).waitFor()
    await page.getByText('$58.00 → $63.00').waitFor()
    await page.getByText('1 job with a price of its own, left alone').waitFor()
    await expectAccessible(page)
    expect(await prices(booked.id)).toEqual([5800])
  })
  await step('it is applied once, and undone', async () => {
    await page.getByRole('button', { name: /^Change \d+ visits$/ }).dblclick()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await prices(booked.id)).toEqual([6300])
    expect((await api.ok(pricesApi.list, {})).items).toHaveLength(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: the old prices hold again').waitFor()
    expect(await prices(booked.id)).toEqual([5800])
  })
  await step('a raise on a phone', async () => {
    const { page: phone } = await openPage({ as: owner, timezoneId: timeZone, path: '/jobs?tab=services', width: 390 })
    await phone.getByRole('button', { name: 'Raise prices' }).click()
    await phone.getByText('$58.00 → $60.00').waitFor()
    await expectAccessible(phone)
    await phone.getByRole('checkbox', { name: /Also jobs with a price of their own/ }).check()
    await phone.getByText('$70.00 → $73.00').waitFor()
    await phone.getByRole('button', { name: /^Change \d+ visits$/ }).click()
    await phone.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await prices(booked.id)).toEqual([6000])
  })
})
