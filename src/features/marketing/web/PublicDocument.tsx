import type { ReactNode } from 'react'
import { brand } from '../../../shared/brand.ts'
import { screenAt } from '../../../shared/screens.ts'
import { PictureContext } from './Picture.tsx'
import { PublicFooter } from './PublicFooter.tsx'
import { PublicNav } from './PublicNav.tsx'
import type { PictureFiles } from './pictures.ts'
import { formPages, type SitePageName, sitePages } from './site.ts'

/** What a build made for the pages: the text of the style sheets, and the addresses of the other files. */
export type PageAssets = {
  style: string
  js: string
  forms: { style: string; js: string }
  fonts: readonly string[]
  icon: string
  card: string
  pictures: PictureFiles
}

type Props = { name: SitePageName; assets: PageAssets; data?: readonly object[]; children: ReactNode }

/** `withSite` puts the server's address before these; unfilled they stay relative. */
const origin = (attribute: 'href' | 'content') => ({ 'data-origin': attribute })

/** The one place where text of our own build becomes markup. */
const raw = (text: string) => ({ dangerouslySetInnerHTML: { __html: text } })

/** One whole static page. Nothing is waited for before the first paint: the style is part of the page, and the scripts run after it. */
export const PublicDocument = ({ name, assets, data = [], children }: Props) => {
  const { path, title, description } = sitePages[name]
  const hasForm = formPages.includes(name)
  return (
    <html lang="en" data-web-only={path === '/' || screenAt(path)?.webOnly ? '' : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, minimum-scale=1" />
        <title>{name === 'home' || title.includes(brand.name) ? title : `${title} · ${brand.name}`}</title>
        <meta name="description" content={description} />
        <link rel="canonical" {...origin('href')} href={path} />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content={brand.name} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:url" {...origin('content')} content={path} />
        <meta property="og:image" {...origin('content')} content={assets.card} />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta
          property="og:image:alt"
          content="The words: Route, schedule, and invoice in minutes. Under them the dashboard with each crew's day and the route map."
        />
        <meta name="twitter:card" content="summary_large_image" />
        <meta name="theme-color" content="#faf8f3" />
        <link rel="icon" type="image/svg+xml" href={assets.icon} />
        {assets.fonts.map((font) => (
          <link key={font} rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" />
        ))}
        <script defer src={assets.js} />
        {hasForm && <script defer src={assets.forms.js} />}
        <style {...raw(hasForm ? assets.style + assets.forms.style : assets.style)} />
        <noscript>
          <style {...raw('.pn-for-out{visibility:visible}.fx-wait{display:none}')} />
        </noscript>
        {data.map((each) => (
          <script
            key={JSON.stringify(each)}
            type="application/ld+json"
            {...raw(JSON.stringify(each).replaceAll('<', '\\u003c'))}
          />
        ))}
      </head>
      <body>
        <PublicNav current={path} />
        <main id="main" tabIndex={-1}>
          <PictureContext value={assets.pictures}>{children}</PictureContext>
        </main>
        <PublicFooter />
      </body>
    </html>
  )
}
