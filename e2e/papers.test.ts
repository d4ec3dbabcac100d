import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PaperName, papers } from '../src/test/papers.ts'
import { theBrowser } from './browser.ts'
import { comparePictures } from './pictures.ts'

const pdfjs = join(dirname(createRequire(import.meta.url).resolve('unpdf')), 'pdfjs.mjs')
const home = 'http://papers.test/'
const loader =
  '<!doctype html><script type="module">import * as pdfjs from "./pdfjs.mjs"; Object.assign(window, { pdfjs })</script>'
/** Pixels for each point of a page: several for each that is compared, so that a browser's own way with letters hardly counts. */
const scale = 2

type Pdfjs = typeof import('unpdf/pdfjs')

let page: Awaited<ReturnType<Awaited<ReturnType<typeof theBrowser>>['newPage']>>

beforeAll(async () => {
  page = await (await theBrowser()).newPage()
  await page.route(`${home}**`, (route) =>
    route.request().url().endsWith('.mjs')
      ? route.fulfill({ path: pdfjs, contentType: 'text/javascript' })
      : route.fulfill({ body: loader, contentType: 'text/html' }),
  )
  await page.goto(home)
})
afterAll(() => page.close())

/** Each page of a PDF as a PNG, drawn by the browser. */
const draw = async (bytes: Uint8Array): Promise<Buffer[]> => {
  const pictures = await page.evaluate(
    async ({ base64, scale }) => {
      const { getDocument } = (window as unknown as { pdfjs: Pdfjs }).pdfjs
      const paper = await getDocument({ data: Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) }).promise
      const drawn: string[] = []
      for (let number = 1; number <= paper.numPages; number++) {
        const sheet = await paper.getPage(number)
        const viewport = sheet.getViewport({ scale })
        const canvas = document.createElement('canvas')
        Object.assign(canvas, { width: viewport.width, height: viewport.height })
        await sheet.render({ canvas, viewport }).promise
        drawn.push(canvas.toDataURL('image/png'))
      }
      return drawn
    },
    { base64: Buffer.from(bytes).toString('base64'), scale },
  )
  return pictures.map((url) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
}

describe('papers look as they did', () => {
  it.each(Object.keys(papers) as PaperName[])('%s', async (name) => {
    const pages = await draw(await papers[name]())
    expect(await comparePictures(name, pages)).toEqual([])
  })
})
