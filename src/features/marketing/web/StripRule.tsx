/** A slim mowed strip as a rule between parts of a page: decoration, so it has no text of its own. */
export const StripRule = ({ seed, share, stripes = 26 }: { seed: number; share: number; stripes?: number }) => {
  let state = seed
  const next = () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
  next()
  const widths = Array.from({ length: stripes }, (_, stripe) => ({
    stripe,
    width: 10 + Math.round(next() * 30),
    gap: 2 + Math.round(next() * 4),
  }))
  return (
    <div className="srule" aria-hidden="true">
      {widths.map(({ stripe, width, gap }) => (
        <i
          key={stripe}
          className={stripe < stripes * share ? 'done' : undefined}
          style={{ flexGrow: width, marginRight: gap }}
        />
      ))}
    </div>
  )
}
