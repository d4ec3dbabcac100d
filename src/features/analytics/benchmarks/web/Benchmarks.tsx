import { Card } from '../../../../ui/Card.tsx'
import type { Overview } from '../../contract.ts'
import '../../web/analytics.css'
import { benchmarksOf } from '../rules.ts'

/** Own numbers beside what others in the trade say of theirs, each with where it was said. */
export const Benchmarks = ({ found }: { found: Overview }) => (
  <Card title="Beside the trade" as="section">
    <ul className="an-rows">
      {benchmarksOf(found).map(({ name, own, verdict, ranges }) => (
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
            {own ?? '–'}
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
