import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import sharp from 'sharp'

const references = resolve(import.meta.dirname, 'pictures')
/** Where a failing run leaves what it saw. */
const seen = resolve(import.meta.dirname, '../node_modules/.cache/pictures')

const widthPx = 459
/**
 * Both are blurred first. Measured on our papers, letters drawn at another size then differ by up to 20 of 255; a column one millimeter beside its
 * place by 46, a word that is not there by more.
 */
const blurPx = 2
const mostStep = 28
/** What differs is told by squares of the page. */
const squarePx = 27

type Gray = { data: Buffer; width: number; height: number }

const shrink = (png: Buffer): Promise<Buffer> =>
  sharp(png)
    .flatten({ background: '#fff' })
    .grayscale()
    .resize(widthPx)
    .png({ colors: 32, palette: true, effort: 10 })
    .toBuffer()

const grayOf = async (png: Buffer): Promise<Gray> => {
  const { data, info } = await sharp(png).grayscale().blur(blurPx).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Where two pictures differ: the middle of each square, in percent from the left and from the top. */
const differencesOf = (a: Gray, b: Gray): string[] => {
  if (a.width !== b.width || a.height !== b.height) return [`${b.width} x ${b.height} px, not ${a.width} x ${a.height}`]
  const columns = Math.ceil(a.width / squarePx)
  const squares = new Set<number>()
  for (let at = 0; at < a.data.length; at++) {
    if (Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0)) <= mostStep) continue
    squares.add(Math.floor(at / a.width / squarePx) * columns + Math.floor((at % a.width) / squarePx))
  }
  const percent = (index: number, size: number) => Math.round(((index + 0.5) * squarePx * 100) / size)
  return [...squares].map((square) => {
    const [left, top] = [percent(square % columns, a.width), percent(Math.floor(square / columns), a.height)]
    return `differs at ${left}% from the left, ${top}% from the top`
  })
}

/**
 * Compares the pages of a paper with the pictures in `e2e/pictures`, small and gray, with room for another browser's letters. What differs is left
 * as a picture in `node_modules/.cache/pictures`; SWATH_RENEW_PICTURES=1 takes the present look for the right one.
 * @returns what differs, in words; nothing when it looks as before
 */
export const comparePictures = async (name: string, pages: readonly Buffer[]): Promise<string[]> => {
  const fileOf = (number: number): string => `${name}-${number}.png`
  const known = readdirSync(references).filter((file) => new RegExp(`^${name}-\\d+\\.png$`).test(file))
  const small = await Promise.all(pages.map(shrink))
  if (process.env.SWATH_RENEW_PICTURES === '1') {
    for (const file of known) rmSync(join(references, file))
    small.forEach((png, index) => {
      writeFileSync(join(references, fileOf(index + 1)), png)
    })
    return []
  }
  const found: string[] = known.length === pages.length ? [] : [`${pages.length} pages, not ${known.length}`]
  for (const [index, png] of small.entries()) {
    const file = fileOf(index + 1)
    const before = join(references, file)
    const differences = existsSync(before)
      ? differencesOf(await grayOf(readFileSync(before)), await grayOf(png))
      : ['has no picture to compare with']
    rmSync(join(seen, file), { force: true })
    if (differences.length === 0) continue
    mkdirSync(seen, { recursive: true })
    writeFileSync(join(seen, file), png)
    found.push(...differences.map((difference) => `page ${index + 1} ${difference}; see ${join(seen, file)}`))
  }
  return found
}
