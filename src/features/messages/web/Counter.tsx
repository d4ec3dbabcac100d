import { useQuery } from '@tanstack/react-query'
import { photoTextSegments } from '../photos/rules.ts'
import { costlyLabel, mostCharacters, plainText, smsSegments } from '../rules.ts'
import { usageQuery } from './data.ts'
import { tooLong } from './typed.ts'

type Props = {
  id: string
  text: string
  holes: readonly string[]
  /** How many photos go with it. */
  photos: number
  onPlain: (text: string) => void
}

/** How long a text is of how long it may be; why it is too long to be sent, else what it costs where that is more than usual. */
export const Counter = ({ id, text, holes, photos, onPlain }: Props) => {
  const usage = useQuery(usageQuery).data
  const long = tooLong(text)
  const { segments, plain } = smsSegments(text)
  const better = plainText(text)
  const helps =
    better !== text &&
    (long
      ? better.trim().length < text.trim().length
      : smsSegments(better).segments <= segments && smsSegments(better).plain)
  const offer = helps ? (
    <button type="button" className="composer__plain" onClick={() => onPlain(better)}>
      Use plain characters
    </button>
  ) : null
  return (
    <div id={id} className={`composer__count${long ? ' is-long' : ''}`} aria-live="polite">
      <span className="num">
        {text.trim().length}/{mostCharacters}
      </span>
      {long ? (
        <span>
          {long}
          {holes.map((hole) => ` {${hole}} still stands in it, too.`)} {offer}
        </span>
      ) : photos > 0 ? (
        <span className="hint">Costs {photoTextSegments} segments with photos</span>
      ) : plain && segments === 1 ? (
        usage?.segmentLimit == null ? null : (
          <span className="hint num">
            {(usage.segmentLimit - usage.segmentsUsed).toLocaleString('en-US')} of{' '}
            {usage.segmentLimit.toLocaleString('en-US')} SMS segments left this month
          </span>
        )
      ) : (
        <span className="hint">
          Costs {segments === 1 ? '1 segment' : `${segments} segments`}
          {plain ? '' : `: ${costlyLabel(text)}`}. {offer}
        </span>
      )}
    </div>
  )
}
