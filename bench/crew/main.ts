import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { planDay } from '../../faults/crew.ts'
import { withProduct } from '../../faults/product.ts'
import { buildWeb } from '../../scripts/build-web.ts'
import { launchBrowser } from '../../scripts/web/browser.ts'
import { openLine } from '../../scripts/web/line.ts'

type Line = { what: string; measured: number; aim: number; unit: string }

const starts = 5
const actions = 300

/** Kilobytes that the budgets measure, by their names. */
const weights = async (): Promise<Line[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, '../../scripts/check-budgets.ts'),
  ]).catch((error: { stdout: string }) => error)
  return ['crew, first JavaScript', 'crew, kept on the phone'].map((what) => {
    const [, measured, aim] = new RegExp(`([\\d.]+) of\\s+(\\d+) KB\\s+${what}`).exec(stdout) ?? []
    return { what, measured: Number(measured), aim: Number(aim), unit: 'KB gz' }
  })
}

/** How the crew app opens without a signal, and what it costs to send a day's work. */
export const run = async (args: string[]): Promise<void> => {
  const lines: Line[] = []
  await buildWeb({ ifStale: true })
  await withProduct({}, async (product) => {
    await planDay(product)
    const line = await openLine(product.base)
    const browser = await launchBrowser()
    try {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL: line.url })
      const answer = await context.request.post('/api/auth/login', {
        data: { email: 'crew@demo.swath.test', password: 'demo-swath-2026' },
        headers: { origin: line.url },
      })
      if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}`)
      await context.addCookies([{ name: 'swath_app', value: 'employee', url: line.url }])
      const first = await context.newPage()
      await first.goto('/employee-dashboard')
      await first.getByRole('button', { name: 'Clock in' }).click()
      await first.getByRole('button', { name: 'Start', exact: true }).click()
      await first.getByText('All sent').waitFor()
      await first.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
      await first.close()

      line.be('cut')
      const opened: number[] = []
      for (let n = 0; n < starts; n += 1) {
        const page = await context.newPage()
        await page.goto('/employee-dashboard')
        // in the page's own time: from the start of the navigation to a button that can be pressed
        const ready = `new Promise((done) => {
          const look = () => [...document.querySelectorAll('button')].some((one) => one.textContent === 'Finish')
            ? done(performance.now()) : requestAnimationFrame(look)
          look()
        })`
        opened.push(await page.evaluate<number>(ready))
        await page.close()
      }
      lines.push({
        what: 'opens from cold without a signal, median',
        measured: Math.round(opened.sort((a, b) => a - b)[Math.floor(starts / 2)] ?? 0),
        aim: 400,
        unit: 'ms',
      })

      const page = await context.newPage()
      await page.goto('/employee-dashboard')
      const tick = page.getByText('Trim', { exact: true }).first()
      for (let n = 0; n < actions; n += 1) await tick.click()
      await page.getByText(`${actions} on phone, no signal`).waitFor()
      const bytesBefore = line.byteCount()
      line.be('good')
      const from = performance.now()
      await page.evaluate("window.dispatchEvent(new Event('online'))")
      await page.getByText('All sent').waitFor({ timeout: 300_000 })
      lines.push({
        what: `${actions} actions are sent`,
        measured: Math.round((performance.now() - from) / 100) / 10,
        aim: 10,
        unit: 's',
      })
      await page.reload()
      await page.getByText('All sent').waitFor()
      lines.push({
        what: `over the line: ${actions} actions, and the day loaded once`,
        measured: Math.round((line.byteCount() - bytesBefore) / 102.4) / 10,
        aim: 150,
        unit: 'KB',
      })
    } finally {
      await browser.close()
      await line.close()
    }
  })
  lines.push(...(await weights()))
  if (args.includes('--json')) console.log(JSON.stringify(lines, null, 2))
  else console.table(lines)
}
