import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { employeesApi } from '../src/features/employees/contract.ts'
import { config } from '../src/platform/config.ts'
import { configureTravelEngine } from '../src/platform/geo/engines.ts'
import { mapSettingsOf } from '../src/platform/geo/map-settings.ts'
import { aVisit } from '../src/test/field.ts'
import { aMapServer, archiveOf, type Mood, town } from '../src/test/map-town.ts'
import { aWorkday, optimized } from '../src/test/planning.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { aNewBusiness, type NewBusiness, password } from './fixtures.ts'
import { aCrewDay, crewHands } from './fixtures-day.ts'
import { legibleFindings } from './legible.ts'

/** A map with streets, from a map server that the test has in its hands: as it should be, and in each way in which it can fail. */

const settings = { ...config.maps }
const googleUrl = 'https://tile.googleapis.com'
const folder = mkdtempSync(join(tmpdir(), 'swath-map-'))
const day = aWorkday(4)
let server: Awaited<ReturnType<typeof aMapServer>>
let fresh: NewBusiness

beforeAll(async () => {
  server = await aMapServer()
  const file = join(folder, 'town.pmtiles')
  writeFileSync(file, archiveOf('protomaps'))
  const asked = mapSettingsOf({
    SWATH_MAP_STYLE: `${server.url}/planet`,
    SWATH_SATELLITE: `${server.url}/pictures/{z}/{x}/{y}.jpg`,
  })
  const google = { name: 'Google', hosts: [googleUrl], shows: 'pictures' as const }
  Object.assign(config.maps, { ...asked, file, services: [...asked.services, google] })
})
const { openPage } = withBrowser({ afresh: 'file', maps: 'whole' })
beforeAll(async () => {
  fresh = await aNewBusiness()
  const { business, people } = fresh
  await business.api.ok(employeesApi.createCrew, {
    body: {
      name: 'North',
      memberUserIds: people.map(({ userId }) => userId),
      depotStreet: '1 Rail Yard Rd',
      depotLatitude: town.lat - 0.006,
      depotLongitude: town.lon - 0.012,
      shiftStartMinute: 420,
      shiftEndMinute: 1020,
      workDays: [0, 1, 2, 3, 4, 5, 6],
    },
  })
  for (let i = 0; i < 12; i++)
    await aVisit(business, {
      day,
      budgetMinutes: 12,
      street: `${100 + i} Maple St`,
      latitude: town.lat + Math.sin((i + 1) * 12.9898) * 0.008,
      longitude: town.lon + Math.sin((i + 1) * 78.233) * 0.013,
    })
  await optimized(business.api, { day })
})
afterAll(async () => {
  Object.assign(config.maps, settings)
  rmSync(folder, { recursive: true, force: true })
  await server.stop()
})

const well = { about: 'well', tiles: 'well', pictures: 'well' } as const
/** A browser without a graphics card says so. */
const harmless = /WebGL|GPU|GL Driver|SwiftShader/
/** What a browser itself says of an address that does not answer well. */
const failed = /Failed to load resource/
const noStreets = 'Streets are not available right now. Your places are all here.'

const openMap = async ({ width = 1440, path = `/route-map?day=${day}` } = {}) => {
  const opened = await openPage({ as: fresh.owner, path, timezoneId: fresh.timeZone, width })
  await opened.page.locator('.ui-map canvas').waitFor()
  return opened
}
const shows = (page: Page, base: 'streets' | 'satellite' | 'plain') =>
  page.locator(`.ui-map__canvas[data-base="${base}"]`).waitFor({ timeout: 20_000 })
const look = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('online')))
const hasWord = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words })

/** How many points of the drawn map have a color. @param edgePx counts those within so many rows of its upper and lower edge */
const pointsOf = async (page: Page, color: string, edgePx = Number.POSITIVE_INFINITY): Promise<number> => {
  const picture = await page.locator('.ui-map canvas').screenshot()
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const wanted = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  let count = 0
  const isAsked = (at: number): boolean => {
    const row = Math.floor(at / info.channels / info.width)
    return Math.min(row, info.height - 1 - row) < edgePx
  }
  for (let at = 0; at < data.length; at += info.channels)
    if (isAsked(at) && wanted.every((part, i) => Math.abs((data[at + i] ?? 0) - part) <= 4)) count += 1
  return count
}
const highway = '#f7dc9f'
const crewColor = '#14432f'
/** The same as a line, which lets a little of its pale edge through. */
const lineColor = '#305947'

const boxOf = async (place: Locator) => {
  const box = await place.boundingBox()
  if (!box) throw new Error('It is not on the screen.')
  return { ...box, bottom: box.y + box.height }
}
/** What is said of a map and what is pressed there stands below it: a pin can be anywhere on it. */
const expectBelow = async (page: Page, ...places: Locator[]) => {
  const map = await boxOf(page.locator('.ui-map__canvas'))
  for (const place of places) expect((await boxOf(place)).y).toBeGreaterThanOrEqual(map.bottom)
}

describe('at 390 pixels', () => {
  test('nothing lies over the pins of a crew, all can be hit, and news stands on the dock', async () => {
    server.be(well)
    const { luis } = await aCrewDay({
      streets: ['7 Bay St', '45 Wassaw Rd'],
      stopOf: (index) => ({ latitude: town.lat + index / 500, longitude: town.lon + index / 500 }),
    })
    const as = { email: luis.email, password }
    const { page, complaints } = await openPage({ width: 390, as, path: '/employee-dashboard' })
    const hands = crewHands(page)
    await page.getByRole('button', { name: 'Clock in' }).click()
    await hands.start()
    await hands.takePhoto('Photo before')
    const news = page.locator('.ui-toast')
    await news.waitFor()
    await expect
      .poll(async () => (await boxOf(page.locator('.f-dock'))).y - (await boxOf(news)).bottom)
      .toSatisfy((gapPx: number) => gapPx >= 0 && gapPx < 30)
    await page.getByRole('link', { name: 'Route', exact: true }).click()
    await page.getByRole('button', { name: /Street map/ }).click()
    await shows(page, 'streets')
    const satellite = page.getByRole('button', { name: 'Satellite' })
    await expectBelow(page, satellite)
    expect(await legibleFindings(page)).toEqual([])
    server.be({ pictures: 'nonsense' })
    await satellite.click()
    const words = hasWord(page, 'Satellite pictures are not available right now')
    await words.waitFor()
    await expectBelow(page, satellite, words)
    // what came to stand below has moved no pin to the edge
    await expect.poll(() => pointsOf(page, crewColor)).toBeGreaterThan(300)
    expect(await pointsOf(page, crewColor, 12)).toBe(0)
    await expectAccessible(page)
    const folder = process.env.SWATH_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/crew-map.png`, fullPage: true })
    expectQuiet(complaints, new RegExp(`${harmless.source}|${failed.source}`))
  })

  test('nor over those of the office', async () => {
    server.be(well)
    const { page, complaints } = await openMap({ width: 390, path: '/customers?tab=map' })
    await shows(page, 'streets')
    const satellite = page.getByRole('button', { name: 'Satellite' })
    await expectBelow(page, satellite)
    server.be({ pictures: 'nonsense' })
    await satellite.click()
    const words = hasWord(page, 'Satellite pictures are not available right now')
    await words.waitFor()
    await expectBelow(page, satellite, words)
    const folder = process.env.SWATH_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/office-map.png` })
    expectQuiet(complaints, new RegExp(`${harmless.source}|${failed.source}`))
  })
})

describe('streets', () => {
  test('stand below the pins with their source named, and pictures from above are one tap away', async () => {
    server.be(well)
    const { page, complaints } = await openMap()
    await shows(page, 'streets')
    await expect.poll(() => pointsOf(page, highway)).toBeGreaterThan(300)
    await expect.poll(() => pointsOf(page, crewColor)).toBeGreaterThan(300)
    await page.getByText('© Testville Survey').waitFor()
    await expectAccessible(page)

    // all pins are one press of the Tab key, and the arrows walk through them
    const places = page.getByRole('list', { name: /^Places on the map/ }).getByRole('button')
    expect(await places.count()).toBeGreaterThan(12)
    expect(await places.evaluateAll((all) => all.filter((one) => one.tabIndex === 0).length)).toBe(1)
    await places.first().focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => places.nth(1).evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('End')
    await expect.poll(() => places.last().evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    expect(await places.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))).toBe(false)

    await page.getByRole('button', { name: 'Satellite' }).click()
    await shows(page, 'satellite')
    await expect.poll(() => pointsOf(page, '#41573a')).toBeGreaterThan(10_000)
    await expect.poll(() => pointsOf(page, crewColor)).toBeGreaterThan(300)
    await page.reload()
    await shows(page, 'satellite')
    await page.getByRole('button', { name: 'Map', exact: true }).click()
    await shows(page, 'streets')
    expectQuiet(complaints, harmless)
  })

  test('give way to pictures of Google, by a session of its own and with its word on whose they are', async () => {
    const { shown } = config.maps
    onTestFinished(() => void Object.assign(config.maps, { shown }))
    Object.assign(config.maps, { shown: { ...shown, satellite: { kind: 'google', url: googleUrl, key: 'AIza-1234' } } })
    const { page, complaints } = await openMap()
    const picture = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#6b4f2a' } })
      .jpeg()
      .toBuffer()
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    await page.route(`${googleUrl}/**`, (route) => {
      const { pathname, searchParams } = new URL(route.request().url())
      if (searchParams.get('key') !== 'AIza-1234') return route.fulfill({ status: 403, headers })
      if (pathname === '/v1/createSession') return route.fulfill({ headers, json: { session: 's-1', tileWidth: 256 } })
      if (searchParams.get('session') !== 's-1') return route.fulfill({ status: 403, headers })
      if (pathname === '/tile/v1/viewport')
        return route.fulfill({ headers, json: { copyright: 'Imagery ©2026 Skyview' } })
      return route.fulfill({ headers, contentType: 'image/jpeg', body: picture })
    })
    await shows(page, 'streets')
    await page.getByRole('button', { name: 'Satellite' }).click()
    await shows(page, 'satellite')
    await expect.poll(() => pointsOf(page, '#6b4f2a')).toBeGreaterThan(10_000)
    await page.getByText('Imagery ©2026 Skyview').waitFor()
    await page.getByText('Google Maps').waitFor()
    expectQuiet(complaints, harmless)
  })

  test('carry the route along roads where the road engine says how they run', async () => {
    onTestFinished(() => configureTravelEngine())
    const { page, complaints } = await openMap()
    await shows(page, 'streets')
    await expect.poll(() => pointsOf(page, lineColor)).toBeGreaterThan(300)
    const straight = await pointsOf(page, lineColor)
    configureTravelEngine({
      id: 'corners',
      limits: { sources: 1, targets: 1, pairs: 1, places: 2 },
      keepDays: 1,
      bucketOf: () => 0,
      ask: () => Promise.reject(new Error('Nobody asks for drives.')),
      // north or east only, as the streets of the town run
      way: {
        places: 10,
        ask: async (places) =>
          places.flatMap((place, i) => [place, { lat: place.lat, lng: places[i + 1]?.lng ?? place.lng }]),
      },
    })
    await page.reload()
    await shows(page, 'streets')
    await expect.poll(() => pointsOf(page, lineColor)).toBeGreaterThan(straight * 1.1)
    expectQuiet(complaints, harmless)
  })

  test('come from our own archive in byte ranges, and from a style of somebody else', async () => {
    const shown = config.maps.shown
    onTestFinished(() => void Object.assign(config.maps, { shown }))
    Object.assign(config.maps, { shown: { ...shown, streets: { kind: 'pmtiles', url: '/maps/town.pmtiles' } } })
    const before = server.asked.length
    const { page, complaints } = await openMap({ width: 390, path: '/customers?tab=map' })
    await shows(page, 'streets')
    await page.getByText('© Testville', { exact: true }).waitFor()
    await expect.poll(() => pointsOf(page, highway)).toBeGreaterThan(100)
    expect(server.asked.length, 'nobody else is asked').toBe(before)
    await expectAccessible(page)
    expectQuiet(complaints, harmless)

    Object.assign(config.maps, { shown: { ...shown, streets: { kind: 'address', url: `${server.url}/style.json` } } })
    await page.reload()
    await shows(page, 'streets')
    await expect.poll(() => pointsOf(page, '#ddeeff')).toBeGreaterThan(10_000)
    expectQuiet(complaints, harmless)
  })
})

describe('a map that nobody is asked for', () => {
  test('is the plain one, without a word and without an error', async () => {
    const shown = config.maps.shown
    onTestFinished(() => void Object.assign(config.maps, { shown }))
    Object.assign(config.maps, { shown: { streets: null, satellite: null } })
    const { page, complaints } = await openMap()
    await page.reload()
    await shows(page, 'plain')
    await expect.poll(() => pointsOf(page, crewColor)).toBeGreaterThan(300)
    expect(await hasWord(page, noStreets).count()).toBe(0)
    expectQuiet(complaints, harmless)
  })
})

describe('a map server that does not answer', () => {
  const ways: [part: 'about' | 'tiles', mood: Mood][] = [
    ['about', 'fails'],
    ['about', 'nonsense'],
    ['about', 'hangs'],
    ['tiles', 'fails'],
    ['tiles', 'nonsense'],
    ['tiles', 'hangs'],
  ]
  test('leaves the plain map with a quiet word, and streets come when it answers again', async () => {
    server.be({ ...well, about: 'fails' })
    const { page, complaints } = await openMap()
    for (const [part, mood] of ways) {
      server.be({ ...well, [part]: mood })
      await page.reload()
      await shows(page, 'plain')
      await hasWord(page, noStreets).waitFor()
      await expect.poll(() => pointsOf(page, crewColor), { message: `pins while ${part} ${mood}` }).toBeGreaterThan(300)
      server.be(well)
      await look(page)
      await shows(page, 'streets')
      await hasWord(page, noStreets).waitFor({ state: 'detached' })
    }
    expectQuiet(complaints, new RegExp(`${harmless.source}|${failed.source}`))
  })

  test('is left when it dies under a map that is looked at, not for single squares; streets stay without pictures', async () => {
    server.be(well)
    const { page, complaints } = await openMap()
    await shows(page, 'streets')
    const zoomIn = page.getByRole('button', { name: 'Zoom in' })
    const tilesAsked = () => server.asked.filter((path) => path.startsWith('/tiles/')).length
    server.be({ pictures: 'nonsense' })
    await page.getByRole('button', { name: 'Satellite' }).click()
    await hasWord(page, 'Satellite pictures are not available right now').waitFor()
    await shows(page, 'streets')
    server.be(well)
    await look(page)
    await shows(page, 'satellite')
    server.be({ pictures: 'fails' })
    for (let i = 0; i < 2; i++) await zoomIn.click()
    await shows(page, 'streets')
    await hasWord(page, 'Satellite pictures are not available right now').waitFor()
    server.be(well)
    await look(page)
    await shows(page, 'satellite')
    await page.getByRole('button', { name: 'Map', exact: true }).click()
    await shows(page, 'streets')

    server.failNext(2)
    await zoomIn.click()
    await zoomIn.click()
    await expect.poll(() => server.failuresLeft()).toBe(0)
    await shows(page, 'streets')
    expect(await hasWord(page, noStreets).count()).toBe(0)

    server.be({ tiles: 'hangs' })
    const before = tilesAsked()
    const zoomOut = page.getByRole('button', { name: 'Zoom out' })
    for (let i = 0; i < 5; i++) await zoomOut.click()
    await expect.poll(tilesAsked).toBeGreaterThan(before)
    await shows(page, 'plain')
    await hasWord(page, noStreets).waitFor()
    expectQuiet(complaints, new RegExp(`${harmless.source}|${failed.source}`))
  })
})

describe('a map ahead', () => {
  test('is the same one again on the next screen, and the day is asked for when somebody reaches for the link', async () => {
    server.be(well)
    const { page, complaints } = await openMap()
    await shows(page, 'streets')
    await expect.poll(() => pointsOf(page, crewColor)).toBeGreaterThan(300)
    await page.locator('.ui-map canvas').evaluate((canvas) => canvas.setAttribute('data-first', ''))
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await page.waitForURL('**/dashboard')
    await page.locator('.ui-map').waitFor({ state: 'detached' })

    let asked = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/routes') asked += 1
    })
    const link = page.locator('a[href^="/route-map"]').first()
    await link.hover()
    await expect.poll(() => asked).toBe(1)
    await link.click()
    await page.getByRole('heading', { name: 'Route map' }).waitFor()
    expect(asked).toBe(1)

    // today has no stops and no map; the day with stops has the one that was kept
    await page.goBack()
    await page.goBack()
    await page.locator('.ui-map canvas[data-first]').waitFor()
    await shows(page, 'streets')
    await expect.poll(() => pointsOf(page, crewColor)).toBeGreaterThan(300)
    expect(await page.locator('.ui-map canvas').count()).toBe(1)
    expectQuiet(complaints, harmless)
  })
})
