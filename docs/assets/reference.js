Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  // Instead of the placeholder of the document.
  servers: [{ url: `${location.origin}/v1` }],
  defaultOpenAllTags: true,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  // The API is for servers: no browser calls it.
  hideTestRequestButton: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
});
