// Runs before the first paint, so that a dark screen never flashes white. The key is that of src/ui/theme/theme.ts.
try {
  const theme = localStorage.getItem('swath.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
