import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { linkTo } from '../../../shared/links.ts'
import { paths } from '../../../shared/paths.ts'
import { IconArrowLeft, IconArrowRight, IconEye } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { useNarrow } from '../../../ui/useNarrow.ts'
import { useSession, useTour } from '../../accounts/web/session.ts'
import { addressOfSignpost, type Signpost, type SignpostKey, signpostAt, signposts } from '../rules.ts'
import './tour.css'

type SignpostLink = { stop: Signpost; crew: boolean; className?: string; current?: boolean; children: ReactNode }

/** A signpost of the other app is another document, and so is the way back. */
const ToSignpost = ({ stop, crew, className, current = false, children }: SignpostLink) => {
  const rest = { className, 'aria-current': current ? ('step' as const) : undefined }
  return stop.inCrewApp === crew ? (
    <LinkTo href={stop.path} {...rest}>
      {children}
    </LinkTo>
  ) : (
    <a href={addressOfSignpost(stop)} {...rest}>
      {children}
    </a>
  )
}

/** On every screen of the tour: that this is a demo, the five signposts, and the two ways out. */
export const TourBar = ({ crew = false }: { crew?: boolean }) => {
  const tour = useTour()
  const session = useSession()
  const { pathname, search } = useLocation()
  const isPhone = useNarrow()
  const here = signpostAt(pathname, search, crew)
  const [last, setLast] = useState<SignpostKey>(here ?? 'dashboard')
  useEffect(() => {
    if (here) setLast(here)
  }, [here])
  if (!tour) return null
  const stops = signposts(isPhone ? null : tour.invoiceId)
  const at = stops.findIndex(({ key }) => key === (here ?? last))
  const stop = stops[at]
  const [before, after] = [stops[at - 1], stops[at + 1]]
  const opens = isPhone && here === 'invoice' && tour.invoiceId ? linkTo.invoice(tour.invoiceId) : null
  if (!stop) return null
  return (
    <section className="tour" aria-label="Tour of a demo business">
      <div className="tour__head">
        <IconEye size={18} aria-hidden="true" />
        <p>
          <span className="tour__long">
            <b>{tour.businessName}</b> is a demo business. Every name is invented, and nothing is saved.
          </span>
          <span className="tour__short">
            <b>A demo.</b> Nothing is saved.
          </span>
        </p>
        <a className="tour__go" href={paths.register}>
          Start free trial
        </a>
        <button type="button" className="tour__leave" onClick={() => void session.signOut()}>
          Leave<span className="tour__long">&nbsp;tour</span>
        </button>
      </div>
      <div className="tour__way">
        <nav aria-label="Stops of the tour">
          <ol>
            {stops.map((one, index) => (
              <li key={one.key}>
                <ToSignpost stop={one} crew={crew} current={one === stop && here !== null}>
                  <b aria-hidden="true">{index + 1}</b>
                  <span>{one.title}</span>
                </ToSignpost>
              </li>
            ))}
          </ol>
        </nav>
        <div className="tour__sign">
          <p aria-live="polite">
            {here === null ? (
              'You are looking around beside the way, which is fine: nothing can break.'
            ) : (
              <>
                <b>{stop.title}.</b> {stop.text}
              </>
            )}
          </p>
          <div className="tour__steps">
            {here === null ? (
              <ToSignpost stop={stop} crew={crew} className="tour__step">
                <IconArrowLeft size={16} aria-hidden="true" /> Back to {stop.title}
              </ToSignpost>
            ) : before ? (
              <ToSignpost stop={before} crew={crew} className="tour__step">
                <IconArrowLeft size={16} aria-hidden="true" />{' '}
                <span>
                  Back<span className="ui-hidden">: {before.title}</span>
                </span>
              </ToSignpost>
            ) : null}
            {opens ? (
              <LinkTo href={opens} className="tour__step">
                Open one
              </LinkTo>
            ) : null}
            {after ? (
              <ToSignpost stop={after} crew={crew} className="tour__step tour__step--next">
                <span>
                  Next<span className={opens ? 'tour__long' : undefined}>: {after.title}</span>
                </span>{' '}
                <IconArrowRight size={16} aria-hidden="true" />
              </ToSignpost>
            ) : (
              <a className="tour__step tour__step--next" href={paths.register}>
                Start your own <IconArrowRight size={16} aria-hidden="true" />
              </a>
            )}
          </div>
        </div>
      </div>
    </section>
  )
}
