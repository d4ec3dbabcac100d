import { strToU8, zipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { jobsApi } from '../src/features/jobs/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { flatPriceRule } from '../src/features/services/defaults/rules.ts'
import { runTasks } from '../src/test/api.ts'
import { importSamples, windows1252 } from '../src/test/import-samples.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** The file of each program that people come from goes through the wizard without a hand on the columns; then one workbook, and the way back. */

const { openPage } = withBrowser({ afresh: 'file' })

const label = 'Drop your customer list here, or choose it'

const open = async (width = 1440, service = '') => {
  const { business, owner, timeZone } = await aNewBusiness()
  if (service)
    await business.api.ok(servicesApi.create, {
      body: {
        name: service,
        category: 'mow',
        unit: 'visit',
        priceRule: flatPriceRule(5000),
        timeRule: {
          fixedMinutes: 30,
          minutesPerKsqft: 0,
          minutesPerUnit: 0,
          difficultyPercent: [100, 100, 100, 100, 100],
        },
        taxCategory: 'lawn',
      },
    })
  const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: '/customers?tab=manage&import=new' })
  await page.getByText('What it needs').waitFor()
  return { business, page }
}

const work = async (page: Page, heading: string) => {
  await page.getByRole('heading', { name: heading }).waitFor()
  await runTasks()
}

describe('files of other programs', () => {
  test.each(importSamples.map((sample) => [sample.fileName, sample] as const))('%s', async (name, sample) => {
    const { business, page } = await open()
    const { expects } = sample
    await page
      .getByLabel(label)
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(windows1252(sample.text)) })
    await page.getByText(`This is a file of ${sample.program}: its columns are matched for you.`).waitFor()
    await page.getByRole('button', { name: /^Check \d+ rows?$/ }).click()
    await page.getByRole('button', { name: `Import ${expects.customers} customers` }).click()
    await work(page, 'Bringing your customers in')
    await page.getByRole('heading', { name: /customers? came in$/ }).waitFor()
    const all = { total: 0 }
    for (const archived of ['false', 'true'] as const)
      all.total += (await business.api.ok(customersApi.list, { query: { archived } })).total
    expect([all.total, (await business.api.ok(jobsApi.list, { query: {} })).items.length]).toEqual([
      expects.customers,
      expects.jobs,
    ])
  })
})

describe.each(widths(390))('at %i pixels', (width) => {
  test('a list with jobs and balances is checked, brought in and undone', async () => {
    const sample = importSamples.find(({ fileName }) => fileName === 'lawnpro-customers.csv')
    const { business, page } = await open(width)
    await expectAccessible(page)
    await page
      .getByLabel(label)
      .setInputFiles({ name: 'lawnpro.csv', mimeType: 'text/csv', buffer: Buffer.from(sample?.text ?? '') })
    await page.getByText('This is a file of LawnPro').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Check 3 rows' }).click()
    await page.getByText('as opening balances, nobody is mailed').waitFor()
    await page.getByRole('button', { name: /Ready, less a cell/ }).click()
    await page
      .getByText(/does not say how often for sure/)
      .first()
      .waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Import 3 customers' }).click()
    await work(page, 'Bringing your customers in')
    await page.getByText('1 row came in with a remark').waitFor()
    await page.getByText('Opening balances: $96.00.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Undo the import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click()
    await work(page, 'Taking the import back')
    await page.getByText('The import is undone').waitFor()
    await page
      .getByText(/its opening balance was voided/)
      .first()
      .waitFor()
    await expectAccessible(page)
    expect((await business.api.ok(jobsApi.list, { query: {} })).items).toEqual([])
  })
})

describe.each(widths(1440))('services at %i pixels', (width) => {
  test('a service that only the file knows is one of ours, and each row says what it books', async () => {
    const mowing = 'Mow, edge, trim and blow'
    const { business, page } = await open(width, mowing)
    const text =
      'name,street,zip,service,frequency,price\nAnn,1 Oak St,31401,Grass,Every week on Tuesday,$45.00\nCal,3 Oak St,31401,Hedges,Every week on Friday,$80.00'
    await page.getByLabel(label).setInputFiles({ name: 'jobs.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('button', { name: 'Check 2 rows' }).click()
    await page.getByRole('heading', { name: '2 services of this file are not in your list' }).waitFor()
    await expectAccessible(page)
    await page
      .getByRole('button', { name: /^Ready/ })
      .or(page.getByRole('tab', { name: /^Ready/ }))
      .first()
      .click()
    await page
      .getByText(/Every week on Tuesday/)
      .first()
      .waitFor()
    const ours = page.getByLabel('What "Grass" is')
    await ours.selectOption({ label: mowing })
    await page.getByRole('button', { name: 'Check the rows again' }).click()
    await page.getByRole('button', { name: 'Check the rows again' }).waitFor({ state: 'detached' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Import 2 customers' }).click()
    await work(page, 'Bringing your customers in')
    await page.getByText('Services added: Hedges.').waitFor()
    const jobs = (await business.api.ok(jobsApi.list, { query: {} })).items
    expect(jobs.map(({ title }) => title).sort()).toEqual(['Hedges', mowing].sort())
  })
})

test('a workbook is read in the browser, and what is no list is told why', async () => {
  const { business, page } = await open()
  const cell = (ref: string, text: string) => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`
  const xml = (inner: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${inner}`)
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const workbook = zipSync({
    'xl/workbook.xml': xml(
      `<workbook ${main} xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': xml(
      `<worksheet ${main}><sheetData><row r="1">${cell('A1', 'Name')}${cell('B1', 'Street')}</row><row r="2">${cell('A2', 'Ann Sheet')}${cell('B2', '1 Cell St')}</row></sheetData></worksheet>`,
    ),
  })
  await page
    .getByLabel(label)
    .setInputFiles({ name: 'broken.xlsx', mimeType: '', buffer: Buffer.from(workbook.slice(0, 90)) })
  await page.getByText('We could not read this workbook.').waitFor()
  await page.getByLabel(label).setInputFiles({ name: 'list.xlsx', mimeType: '', buffer: Buffer.from(workbook) })
  await page.getByRole('button', { name: 'Check 1 row' }).click()
  await page.getByRole('button', { name: 'Import 1 customer' }).click()
  await work(page, 'Bringing your customers in')
  await page.getByText('1 customer came in').waitFor()
  expect((await business.api.ok(customersApi.list, {})).items.map((customer) => customer.name)).toEqual(['Ann Sheet'])
})
