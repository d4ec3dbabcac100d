import './Avatar.css'

const initials = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return ((words[0]?.[0] ?? '?') + (words.length > 1 ? (words[words.length - 1]?.[0] ?? '') : '')).toUpperCase()
}

/** A face, or the initials on a crew color that stays the same for a name. Decoration: the name stands beside it. */
export const Avatar = ({
  name,
  src,
  size = 32,
  color,
}: {
  name: string
  src?: string | null
  size?: number
  color?: string
}) => {
  const index = ([...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65521, 0) % 8) + 1
  return (
    <span
      className="ui-avatar"
      style={{ width: size, height: size, fontSize: size * 0.38, background: color ?? `var(--crew-${index})` }}
      aria-hidden="true"
    >
      {src ? <img src={src} alt="" /> : initials(name)}
    </span>
  )
}
