import './Stars.css'

const path = 'M12 2.6l2.9 6 6.5.9-4.7 4.6 1.1 6.5L12 17.5l-5.8 3.1 1.1-6.5L2.6 9.5l6.5-.9z'

type Props = {
  /** 0 to 5; a part of a star is drawn as one. */
  value: number
  size?: number
}

/** Stars of five, read as a number. */
export const Stars = ({ value, size = 18 }: Props) => (
  <span className="ui-stars" role="img" aria-label={`${value} of 5 stars`}>
    {[0, 1, 2, 3, 4].map((at) => (
      <svg key={at} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} className="ui-stars__off" />
        <path
          d={path}
          className="ui-stars__on"
          style={{ clipPath: `inset(0 ${(1 - Math.min(1, Math.max(0, value - at))) * 100}% 0 0)` }}
        />
      </svg>
    ))}
  </span>
)
