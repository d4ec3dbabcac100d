import axeCore from 'axe-core'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Axe = typeof import('axe-core')

/**
 * What axe finds on the page as it stands, one line each. It is put into a page once and looks for violations alone: a new copy and a
 * full report each time is much slower. A mail shown in a frame may run nothing and is not looked into.
 */
export const axeFindings = async (
  page: Page,
  options: { exclude?: string[]; only?: readonly string[] } = {},
): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source)
  return page.evaluate(
    async ({ exclude, tags }) => {
      const { axe } = window as unknown as { axe: Axe }
      const { violations } = await axe.run(
        { exclude },
        { runOnly: tags, resultTypes: ['violations'], iframes: false, elementRef: false },
      )
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))
    },
    { exclude: options.exclude ?? [], tags: [...(options.only ?? tags)] },
  )
}
