import { Button } from '../ui/Button.tsx'
import { LinkTo } from '../ui/LinkTo.tsx'
import { Logo } from './Logo.tsx'
import { plannedPage } from './planned.ts'
import './planned.css'

const stripes = [30, 46, 24, 52, 38, 30, 44, 26, 40, 34]

/** An unmowed strip with the flag where work goes on. */
const Strip = () => (
  <div className="planned__strip" aria-hidden="true">
    {stripes.map((width, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
      <i key={index} style={{ flexGrow: width }} />
    ))}
  </div>
)

/** A screen that comes later: what will be here, and what already does the nearest thing. No dead ends. */
export const PlannedScreen = ({
  path,
  tab = null,
  bare = false,
}: {
  path: string
  tab?: string | null
  bare?: boolean
}) => {
  const page = plannedPage(path, tab)
  const content = (
    <article className="planned">
      <Strip />
      <p className="planned__when">Not built yet</p>
      <h1 tabIndex={-1}>{page.title}</h1>
      <p className="planned__what">{page.what}</p>
      {page.points.length > 0 ? (
        <ul className="planned__points">
          {page.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      ) : null}
      <p className="planned__today">Works today</p>
      <div className="planned__links">
        {page.today.map(({ label, href }) => (
          <Button key={href} href={href}>
            {label}
          </Button>
        ))}
      </div>
    </article>
  )
  if (!bare) return content
  return (
    <main className="planned-page">
      <nav className="planned-page__head" aria-label="Site">
        <LinkTo href="/" className="planned-page__logo" aria-label="Swath, to the home page">
          <Logo />
        </LinkTo>
        <LinkTo href="/">Back to Home</LinkTo>
      </nav>
      {content}
    </main>
  )
}
