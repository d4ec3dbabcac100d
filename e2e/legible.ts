import type { Page } from 'playwright-core'

/** What a thumb in a glove and an eye in the sun need: targets of 52 px, and 7:1 between words and their ground. */
export const leastTarget = 52
export const leastContrast = 7

/**
 * What on a page of the crew app is too small to be hit or too pale to be read, one line each: computed from where things really are and from the
 * colors that they really have. A target may reach beyond what is drawn of it. What only a keyboard reaches is not for thumbs.
 */
export const legibleFindings = (page: Page): Promise<string[]> =>
  page.evaluate(
    ({ leastTarget, leastContrast }) => {
      type Color = [red: number, green: number, blue: number, alpha: number]
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      const colorOf = (text: string): Color => {
        if (!canvas) return [0, 0, 0, 1]
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = text
        canvas.fillRect(0, 0, 1, 1)
        const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
        return [red, green, blue, alpha / 255]
      }
      const over = (top: Color, ground: Color): Color => [
        top[0] * top[3] + ground[0] * (1 - top[3]),
        top[1] * top[3] + ground[1] * (1 - top[3]),
        top[2] * top[3] + ground[2] * (1 - top[3]),
        1,
      ]
      const light = ([red, green, blue]: Color): number => {
        const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
          const share = value / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const groundOf = (element: Element): Color => {
        const layers: Color[] = []
        for (let one: Element | null = element; one; one = one.parentElement) {
          const layer = colorOf(getComputedStyle(one).backgroundColor)
          if (layer[3] > 0) layers.push(layer)
          if (layer[3] === 1) break
        }
        return layers.reduceRight<Color>((ground, layer) => over(layer, ground), [255, 255, 255, 1])
      }
      const isShown = (element: Element): boolean =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        element.getClientRects().length > 0 &&
        !element.closest('.ui-hidden, [aria-hidden="true"], [inert]')
      const isOff = (element: Element): boolean => element.closest(':disabled, [aria-disabled="true"]') !== null
      const nameOf = (element: Element): string =>
        `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${(
          element.getAttribute('aria-label') ??
          element.textContent ??
          ''
        )
          .trim()
          .slice(0, 50)}`
      const dialog = document.querySelector('dialog[open]')
      const root = dialog ?? document.body
      const found: string[] = []

      for (const control of root.querySelectorAll('button, a[href], summary, input, select, textarea')) {
        const target = (control.matches('[type=checkbox], [type=radio]') && control.closest('label')) || control
        if (!isShown(target) || isOff(control) || control.matches('[type=file], [type=hidden], .skip')) continue
        target.scrollIntoView({ block: 'center', inline: 'center' })
        const { left, top, width, height } = target.getBoundingClientRect()
        const [x, y] = [left + width / 2, top + height / 2]
        const isHit = (px: number, py: number): boolean => {
          const hit = document.elementFromPoint(px, py)
          return hit !== null && (target.contains(hit) || hit.closest('label')?.contains(target) === true)
        }
        const half = leastTarget / 2 - 1
        const tall = height >= leastTarget - 0.5 || (isHit(x, y - half) && isHit(x, y + half))
        const wide = width >= leastTarget - 0.5 || (isHit(x - half, y) && isHit(x + half, y))
        if (!tall || !wide) found.push(`target ${Math.round(width)} × ${Math.round(height)}: ${nameOf(target)}`)
      }

      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const seen = new Set<string>()
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement
        if (!element || !node.textContent?.trim() || !isShown(element) || isOff(element)) continue
        if (element.closest('svg, canvas, .maplibregl-map')) continue
        const ground = groundOf(element)
        const ink = over(colorOf(getComputedStyle(element).color), ground)
        const [bright = 0, dark = 0] = [light(ink), light(ground)].sort((a, b) => b - a)
        const contrast = (bright + 0.05) / (dark + 0.05)
        if (contrast >= leastContrast) continue
        const line = `contrast ${contrast.toFixed(1)}: ${nameOf(element)}`
        if (!seen.has(line)) found.push(line)
        seen.add(line)
      }
      return found
    },
    { leastTarget, leastContrast },
  )
