import { linkTo } from '../../../shared/links.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import type { QuoteRecord } from '../contract.ts'

/** All jobs that a quote became; one alone is opened by its button. */
export const QuoteJobs = ({ jobs }: Pick<QuoteRecord, 'jobs'>) =>
  jobs.length < 2 ? null : (
    <section>
      <h3>Jobs</h3>
      <ul className="panel-rows">
        {jobs.map(({ id, number, title, status }) => (
          <li key={id}>
            <span className="panel-rows__main">
              <LinkTo href={linkTo.job(id)}>
                <b>
                  #{number} {title}
                </b>
              </LinkTo>
              {status === 'active' ? null : <span className="muted">{status}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
