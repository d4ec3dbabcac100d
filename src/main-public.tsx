import { renderToStaticMarkup } from 'react-dom/server'
import { originMark } from './features/marketing/rules.ts'
import { type PageAssets, PublicDocument } from './features/marketing/web/PublicDocument.tsx'
import { publicPages } from './features/marketing/web/publicPages.tsx'
import { type SitePageName, sitePages } from './features/marketing/web/site.ts'
import { breadcrumbData } from './features/marketing/web/structuredData.ts'

export type { PageAssets }

export const pageNames = Object.keys(sitePages) as SitePageName[]

/** One page of the public site as a whole HTML document. */
export const renderPage = (name: SitePageName, assets: PageAssets): string => {
  const { Content, data = [] } = publicPages[name]
  return `<!doctype html>${renderToStaticMarkup(
    <PublicDocument name={name} assets={assets} data={name === 'home' ? data : [...data, breadcrumbData(name)]}>
      <Content />
    </PublicDocument>,
  )}`
}

/** The landing page is reached from advertisements only. */
const listed = pageNames.filter((name) => name !== 'landing')

export const renderSitemap = (): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...listed.map((name) => `  <url><loc>${originMark}${sitePages[name].path}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n')

export const renderRobots = (): string =>
  [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /owner/',
    'Disallow: /i/',
    'Disallow: /s/',
    'Disallow: /card/',
    'Disallow: /portal/',
    'Disallow: /visit/',
    'Disallow: /quote/',
    'Disallow: /quotes/',
    'Disallow: /local/',
    '',
    `Sitemap: ${originMark}/sitemap.xml`,
    '',
  ].join('\n')
