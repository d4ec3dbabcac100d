import './field.css'

/** The shape of a crew screen while its first data comes. */
export const FieldSkeleton = ({ label = 'Loading' }: { label?: string }) => (
  <div role="status" aria-busy="true">
    <span className="ui-hidden">{label}</span>
    <div className="f-card">
      {[18, 30, 18, 52].map((height) => (
        <div
          key={height}
          className="f-skeleton"
          style={{ height, marginBottom: 12, width: height === 18 ? '55%' : '100%' }}
        />
      ))}
    </div>
  </div>
)
