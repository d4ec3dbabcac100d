import { linkTo } from '../../../../shared/links.ts'
import { Card } from '../../../../ui/Card.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import type { Overview } from '../../contract.ts'
import '../../web/analytics.css'
import { benchmarksOf } from '../rules.ts'

type Props = { found: Overview; link: (values: Record<string, string>) => string }

/** Own numbers beside what others in the trade say of theirs, each with where it was said; an own number opens what it is made of. */
export const Benchmarks = ({ found, link }: Props) => (
  <Card title="Beside the trade" as="section">
    <ul className="an-rows">
      {benchmarksOf(found).map(({ name, own, opens, verdict, ranges }) => (
        <li key={name}>
          <span>
            {name}
            {ranges.map(({ text, source, href }) => (
              <span key={text} className="hint">
                {text} (
                <a href={href} target="_blank" rel="noreferrer">
                  {source}
                </a>
                )
              </span>
            ))}
          </span>
          <span className="num">
            {own === null ? (
              '–'
            ) : (
              <LinkTo
                href={opens === 'completed' ? link({ show: 'completed' }) : linkTo.routeDay(found.current.to)}
                aria-label={`${name}: ${own}`}
              >
                {own}
              </LinkTo>
            )}
            <span className="hint">{own === null ? 'too little is known' : (verdict ?? 'yours')}</span>
          </span>
        </li>
      ))}
    </ul>
    <p className="hint">
      What people in the trade wrote in public, not figures of other businesses on Swath. Your market and your costs
      decide what is good for you.
    </p>
  </Card>
)
