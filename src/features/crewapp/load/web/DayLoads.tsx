import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { call } from '../../../../shared/client.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconPrinter } from '../../../../ui/icons.ts'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { loadTexts } from '../../web/load/loadTexts.ts'
import { thingsOf, weightWords } from '../../web/load/things.ts'
import { type CrewLoad, loadApi } from '../contract.ts'
import { isLoaded } from '../rules.ts'
import './loads.css'

type Language = 'en' | 'es'
type Props = { day: Day; open: boolean; onClose: () => void }

const dayWords = (day: Day, language: Language): string =>
  language === 'en'
    ? formatDay(day)
    : new Intl.DateTimeFormat('es-US', { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' }).format(
        new Date(`${day}T00:00:00Z`),
      )

/** One crew's list, with a box to tick by hand for each thing. */
const CrewList = ({ crew, day, language }: { crew: CrewLoad; day: Day; language: Language }) => {
  const words = loadTexts(language)
  const { load } = crew
  return (
    <section className="loads__crew">
      <h3>
        {crew.name} <span>{words.title(dayWords(day, language))}</span>
      </h3>
      <p className="muted">{[crew.people.join(', '), words.stops(crew.stops)].filter(Boolean).join(' · ')}</p>
      {crew.published ? null : <p className="loads__note">{words.mayChange}</p>}
      {crew.changed ? <p className="loads__note">{words.changed}</p> : null}
      {load.unmeasured.map(({ street, names }) => (
        <p key={street} className="loads__note">
          {words.unmeasured(street, names.join(', '))}
        </p>
      ))}
      {weightWords(load, words) ? <p className="muted">{weightWords(load, words)}</p> : null}
      {isLoaded(load) ? null : <p className="muted">{words.nothing}</p>}
      {thingsOf(load, words).map(({ title, things }) => (
        <div key={title}>
          <h4>{title}</h4>
          <ul className="loads__things">
            {things.map(({ key, label, hint, out }) => (
              <li key={key}>
                <b>{label}</b>
                {out || hint ? <span>{out ?? hint}</span> : null}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <h4>{words.work}</h4>
      <p>
        {load.work
          .map(
            ({ name, stops, withoutMix }) => `${words.timesStops(name, stops)}${withoutMix ? ` (${words.noMix})` : ''}`,
          )
          .join(' · ')}
      </p>
    </section>
  )
}

/** What each crew's truck takes along on a day, to look at and to print: a page a crew. */
export const DayLoads = ({ day, open, onClose }: Props) => {
  const [language, setLanguage] = useState<Language>('en')
  const query = useQuery({
    queryKey: ['visits', 'loads', day],
    queryFn: ({ signal }) => call(loadApi.day, { query: { day } }, { signal }),
    enabled: open,
  })
  const crews = query.data?.crews ?? []
  const lists = crews.map((crew) => <CrewList key={crew.crewId} crew={crew} day={day} language={language} />)
  return (
    <Dialog open={open} onClose={onClose} title={`Load lists, ${formatDay(day)}`} size="l">
      {query.isPending ? (
        <Skeleton height={240} />
      ) : query.isError ? (
        <ErrorState error={query.error} title="We could not load the lists" onRetry={() => void query.refetch()} />
      ) : crews.length === 0 ? (
        <p className="muted">No crew has a stop to work on this day.</p>
      ) : (
        <>
          <div className="loads__bar">
            <SelectField
              label="Language"
              value={language}
              onChange={(one) => setLanguage(one === 'es' ? 'es' : 'en')}
              options={[
                { value: 'en', label: 'English' },
                { value: 'es', label: 'Spanish' },
              ]}
            />
            <Button kind="primary" icon={<IconPrinter size={18} />} onClick={() => window.print()}>
              Print {crews.length === 1 ? 'the list' : `${crews.length} lists`}
            </Button>
          </div>
          <div className="loads" lang={language}>
            {lists}
          </div>
          {/* what goes on paper stands beside the app, which is left out of it */}
          {createPortal(
            <div className="loads loads--paper" lang={language} aria-hidden="true">
              {lists}
            </div>,
            document.body,
          )}
        </>
      )}
    </Dialog>
  )
}
