import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { findBrowser } from '../scripts/web/browser.ts'
import { type Line, openLine } from '../scripts/web/line.ts'
import { readOptions, report } from './options.ts'
import { type Product, until, withProduct } from './product.ts'

const stopCount = 25
const actionsPerStop = 12
const hours = 8
const items = ['Trim', 'Edge', 'Blow', 'Beds', 'Gate', 'Look back']
const person = 'crew@demo.swath.test'

/** A zone in which it is early evening now: the eight hours before lie on one day. */
const eveningZone = (): string => {
  const ahead = 20 - new Date().getUTCHours()
  const east = ahead > 14 ? ahead - 24 : ahead
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`
}

/** A crew of one with a published day of stops, each with a list of things to tick. */
export const planDay = async (product: Product): Promise<void> => {
  await product.query(`update businesses set time_zone = $1`, [eveningZone()])
  await product.query(
    `with business as (select business_id, id as user_id from users where email = $1),
      day as (select (now() at time zone $2)::date as today),
      gone as (delete from crew_members m using business b where m.business_id = b.business_id and m.user_id = b.user_id),
      crew as (insert into crews (business_id, id, name, color) select business_id, gen_random_uuid(), 'Eight hours', '#1F6B45' from business returning business_id, id),
      member as (insert into crew_members (business_id, id, crew_id, user_id, valid_from)
        select b.business_id, gen_random_uuid(), c.id, b.user_id, today - 30 from business b, crew c, day),
      service as (insert into services (business_id, id, code, name, price_rule, time_rule, checklist)
        select business_id, gen_random_uuid(), 'FAULTS', 'Mow, edge, blow', '{}', '{}', $3::jsonb from business returning business_id, id),
      made as (select b.business_id, n, gen_random_uuid() as customer, gen_random_uuid() as property, gen_random_uuid() as job,
        gen_random_uuid() as job_line, gen_random_uuid() as visit from business b, generate_series(1, $4::int) n),
      customers_ as (insert into customers (business_id, id, name) select business_id, customer, 'Fault ' || n from made),
      properties_ as (insert into properties (business_id, id, customer_id, street, city, state, zip)
        select business_id, property, customer, (100 + n) || ' Fault St', 'Savannah', 'GA', '31401' from made),
      jobs_ as (insert into jobs (business_id, id, number, customer_id, property_id, title, start_on)
        select business_id, job, 900000 + n, customer, property, 'Fault', today from made, day),
      lines_ as (insert into job_lines (business_id, id, job_id, service_id, unit_price_cents, budget_minutes, once_on)
        select m.business_id, job_line, job, s.id, 5500, 30, today from made m, service s, day),
      visits_ as (insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, crew_id, position, status, budget_minutes,
          price_cents, published_day, published_crew_id, published_position)
        select m.business_id, visit, job, customer, property, today, today, c.id, n, 'scheduled', 30, 5500, today, c.id, n from made m, crew c, day),
      route as (insert into routes (business_id, id, day, crew_id, status, published_at) select c.business_id, gen_random_uuid(), today, c.id, 'published', now() from crew c, day)
      insert into visit_lines (business_id, id, visit_id, job_line_id, service_id, description, unit_price_cents, budget_minutes)
        select m.business_id, gen_random_uuid(), visit, job_line, s.id, 'Mowing', 5500, 30 from made m, service s`,
    [person, eveningZone(), JSON.stringify(items.map((text) => ({ text, required: false }))), stopCount],
  )
}

/** A browser in a process of its own, on a folder that outlives it: killed as a phone is whose battery is empty. */
const openBrowser = async (folder: string) => {
  const { path, args, env } = await findBrowser()
  const child: ChildProcess = spawn(
    path,
    [
      ...args,
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      '--window-size=390,844',
      'about:blank',
    ],
    { env, stdio: 'ignore' },
  )
  const portFile = join(folder, 'DevToolsActivePort')
  const port = () => {
    try {
      return readFileSync(portFile, 'utf8').split('\n')[0]
    } catch {
      return undefined
    }
  }
  await until('the browser', () => port() !== undefined)
  let browser: Awaited<ReturnType<typeof chromium.connectOverCDP>> | undefined
  await until('the browser to answer', async () => {
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${port()}`).catch(() => undefined)
    return browser !== undefined
  })
  const context = browser?.contexts()[0] as BrowserContext
  const ended = new Promise((done) => child.once('close', done))
  const gone = async () => {
    await ended
    rmSync(portFile, { force: true })
  }
  return {
    page: context.pages()[0] ?? (await context.newPage()),
    kill: async () => {
      child.kill('SIGKILL')
      await gone()
    },
    close: async () => {
      // closed in order, what it keeps is written to the disk
      const session = await browser?.newBrowserCDPSession()
      await session?.send('Browser.close').catch(() => undefined)
      await gone()
    },
  }
}

type Phone = { page: Page; base: string; at: () => number; pass: (ms: number) => Promise<void> }

const takePhoto = async (page: Page, button: string, picture: Buffer): Promise<void> => {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles({ name: 'lawn.jpg', mimeType: 'image/jpeg', buffer: picture })
}

/** Works one stop: twelve actions and two or three photos, spread over its share of the day. */
const workStop = async ({ page, pass }: Phone, n: number, picture: Buffer): Promise<void> => {
  const street = `${100 + n} Fault St`
  const gap = (hours * 3_600_000) / stopCount / (actionsPerStop + 1)
  const press = async (name: string) => {
    await pass(gap)
    await page.getByRole('button', { name, exact: true }).click()
  }
  await page.getByRole('heading', { name: street, exact: true, level: 2 }).waitFor()
  await press('On my way')
  await press('Start')
  await page.getByText(/^On site/).waitFor()
  await takePhoto(page, 'Photo before', picture)
  await page.getByText('1 before, 0 after').waitFor()
  for (const item of items) {
    await pass(gap)
    await page.getByText(item, { exact: true }).first().click()
  }
  await press('Pause')
  await press('Go on')
  await pass(gap)
  // the line that takes a press back offers one too
  await page.getByRole('button', { name: 'Note…' }).first().click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'To the office' }).fill(`Done at ${street}`)
  await page.getByRole('button', { name: 'Save note' }).click()
  for (let photo = 0; photo < (n <= 10 ? 2 : 1); photo += 1) {
    await takePhoto(page, 'Photo after', picture)
    await page.getByText(`1 before, ${photo + 1} after`).waitFor()
  }
  await press('Finish')
  await page.getByText(`Finished ${street}`).waitFor()
}

const signIn = async (page: Page, base: string): Promise<void> => {
  await page.goto(`${base}/signin`)
  const status = await page.evaluate<number>(`(async () => {
    const body = JSON.stringify({ email: '${person}', password: 'demo-swath-2026' })
    const answer = await fetch('/api/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    document.cookie = 'swath_app=employee; path=/'
    return answer.status
  })()`)
  if (status !== 200) throw new Error(`Signing in answered ${status}`)
}

type Found = {
  actions: number
  doubled: number
  notApplied: number
  outOfOrder: number
  photos: number
  finished: number
  hoursOnSite: number
}

const lookAt = async (product: Product): Promise<Found> => {
  const [found] = await product.query<Found>(
    `with ours as (select v.* from visits v join customers c on c.business_id = v.business_id and c.id = v.customer_id where c.name like 'Fault %'),
      mine as (select k.*, row_number() over (order by k.device_at, k.received_at) as pressed, row_number() over (order by k.received_at, k.device_at) as came
        from crew_commands k join users u on u.business_id = k.business_id and u.id = k.user_id where u.email = $1 and k.visit_id in (select id from ours))
     select (select count(*) from mine)::int as actions,
      (select count(*) - count(distinct (visit_id, type, payload->>'item')) from mine)::int as doubled,
      (select count(*) from mine where result <> 'applied' or reason is not null)::int as "notApplied",
      (select count(*) from mine where pressed <> came)::int as "outOfOrder",
      (select count(*) from visit_photos p join ours v on v.business_id = p.business_id and v.id = p.visit_id)::int as photos,
      (select count(*) from ours where status = 'completed')::int as finished,
      (select round(sum(worked_seconds) / 3600.0, 2) from ours)::float as "hoursOnSite"`,
    [person],
  )
  if (!found) throw new Error('Nothing was found.')
  return found
}

/**
 * `npm run faults -- crew [--kills 5]`: eight hours of a crew's day without a signal, 300 actions and 60 photos pressed on the screen, the browser
 * killed and started again without a signal in between. Then the signal comes back broken, failing and slow. In the end each action and photo
 * has reached the server once, in the order of the thumb.
 */
export const crew = async (args: string[]): Promise<void> => {
  const options = readOptions(args, { kills: 5, seconds: 0 })
  const folder = mkdtempSync(join(tmpdir(), 'swath-phone-'))
  const picture = await sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 3,
      background: '#3c8f4f',
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  })
    .jpeg({ quality: 70 })
    .toBuffer()
  await withProduct({}, async (product) => {
    await planDay(product)
    const line: Line = await openLine(product.base)
    let open = await openBrowser(folder)
    try {
      const from = performance.now()
      await signIn(open.page, line.url)
      await open.page.goto(`${line.url}/employee-dashboard`)
      await open.page.getByRole('heading', { name: '101 Fault St' }).waitFor()
      await open.page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
      await open.close()
      line.be('cut')

      const end = Date.now()
      let at = end - hours * 3_600_000
      const startedMs: number[] = []
      const coldStart = async (street: string): Promise<Phone> => {
        open = await openBrowser(folder)
        const { page } = open
        await page.clock.setFixedTime(at)
        const from = performance.now()
        await page.goto(`${line.url}/employee-dashboard`)
        await page.getByRole('heading', { name: street, exact: true, level: 2 }).waitFor()
        startedMs.push(Math.round(performance.now() - from))
        return {
          page,
          base: line.url,
          at: () => at,
          pass: async (ms) => {
            at = Math.min(at + ms, Date.now())
            await page.clock.setFixedTime(at)
          },
        }
      }
      let phone = await coldStart('101 Fault St')
      await phone.page.getByRole('button', { name: 'Clock in' }).click()
      const killAt = new Set(
        Array.from({ length: options.kills }, (_, i) => Math.round(((i + 1) * stopCount) / (options.kills + 1))),
      )
      for (let n = 1; n <= stopCount; n += 1) {
        await workStop(phone, n, picture)
        if (killAt.has(n)) {
          await open.kill()
          phone = await coldStart(`${101 + n} Fault St`)
        }
      }
      await phone.page.getByText(`${1 + stopCount * actionsPerStop + 60} on phone, no signal`).waitFor()
      const workedSeconds = Math.round((performance.now() - from) / 1000)

      const back = performance.now()
      await phone.page.clock.setFixedTime(Date.now())
      for (const quality of ['flapping', 'failing', 'slow', 'flapping', 'good'] as const) {
        line.be(quality)
        await phone.page.evaluate("window.dispatchEvent(new Event('online'))")
        await phone.page.waitForTimeout(quality === 'good' ? 0 : 8_000)
      }
      await phone.page.clock.resume()
      await phone.page.reload()
      await phone.page
        .getByText('All sent')
        .waitFor({ timeout: 600_000 })
        .catch(async () => {
          // what the phone says is what is wrong
          await phone.page.locator('.f-sync').first().click()
          console.error(((await phone.page.getByRole('dialog').textContent()) ?? '').slice(0, 600))
          console.error(product.output().slice(-1_500))
        })
      const sentSeconds = Math.round((performance.now() - back) / 1000)

      const found = await lookAt(product)
      const expected = {
        actions: stopCount * actionsPerStop,
        doubled: 0,
        notApplied: 0,
        outOfOrder: 0,
        photos: 60,
        finished: stopCount,
      }
      const broken = Object.entries(expected).flatMap(([what, n]) =>
        found[what as keyof Found] === n ? [] : [`${what}: ${found[what as keyof Found]} instead of ${n}`],
      )
      report(
        {
          trial: 'crew',
          kills: options.kills,
          brokenConnections: line.brokenCount(),
          workedSeconds,
          sentSeconds,
          slowestColdStartMs: Math.max(...startedMs),
          ...found,
        },
        broken,
        options.json,
      )
    } finally {
      await open.close().catch(() => undefined)
      await line.close()
      rmSync(folder, { recursive: true, force: true })
    }
    if (options.log) console.error(product.output())
  })
}
