import type { z } from 'zod'
import { formatCents } from '../../../shared/money.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import type { invoicesApi } from '../contract.ts'
import { ageNames } from '../rules.ts'
import { ageLabels, usePlace, viewHref } from './place.ts'

type List = Pick<z.output<(typeof invoicesApi)['list']['response']>, 'aging' | 'counts'>

/** What is owed, by how long past its due day. Each sum opens the invoices it is made of. */
export const Aging = ({ list }: { list: List }) => {
  const { query } = usePlace()
  return (
    <div className="inv-ages">
      <nav className="inv-aging" aria-label="What is owed, by age">
        {ageNames.map((age) => {
          const count = list.counts[age]
          return (
            <LinkTo
              key={age}
              href={viewHref(age)}
              className={count === 0 ? 'is-none' : age === 'not_due' ? undefined : 'is-late'}
              aria-current={query.view === age ? 'true' : undefined}
            >
              <span className="hint">{ageLabels[age]}</span>
              <b className="num">{formatCents(list.aging[age])}</b>
              <span className="hint num">
                {count === 1 ? '1 invoice' : `${count.toLocaleString('en-US')} invoices`}
              </span>
            </LinkTo>
          )
        })}
      </nav>
    </div>
  )
}
